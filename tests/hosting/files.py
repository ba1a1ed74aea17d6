"""Readers of Dockerfile, compose.yaml and .dockerignore, as Docker would read them."""

import json
import re
import shlex
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parent.parent.parent
_VARIABLE = re.compile(r"\$(?:(?P<dollar>\$)|\{(?P<name>\w+)(?:(?P<how>:-|:\?)(?P<rest>[^}]*))?\})")


class NotSet(Exception):
    """A variable that compose.yaml requires has no value."""


@dataclass
class Image:
    """The parts of a Dockerfile that matter to those who run the image."""

    workdir: str = "/"
    user: str = "root"
    environment: dict[str, str] = field(default_factory=dict)
    command: list[str] = field(default_factory=list)
    healthcheck: list[str] = field(default_factory=list)
    steps: list[tuple[str, str, str]] = field(default_factory=list)
    """COPY and RUN instructions: the keyword, its arguments, and the WORKDIR at that point."""


def read_dockerfile(path: Path = ROOT / "Dockerfile") -> Image:
    image = Image()
    text = re.sub(r"^\s*#.*\n", "", path.read_text(), flags=re.MULTILINE)
    for line in text.replace("\\\n", " ").splitlines():
        instruction, _, rest = line.strip().partition(" ")
        rest = rest.strip()
        match instruction:
            case "" | "FROM" | "EXPOSE" | "STOPSIGNAL":
                pass
            case "ENV":
                image.environment |= dict(word.split("=", 1) for word in shlex.split(rest))
            case "WORKDIR":
                image.workdir = rest
            case "USER":
                image.user = rest
            case "COPY" | "RUN":
                image.steps.append((instruction, rest, image.workdir))
            case "HEALTHCHECK":
                image.healthcheck = json.loads(rest.partition("CMD")[2])
            case "CMD":
                image.command = json.loads(rest)
            case _:
                raise AssertionError(f"the tests do not know {instruction}")
    return image


def read_compose(environment: Mapping[str, str], path: Path = ROOT / "compose.yaml") -> Any:
    """Return the file's content with its variables filled in. Raises NotSet."""

    def value(found: re.Match[str]) -> str:
        if found["dollar"]:
            return "$"
        given = environment.get(found["name"], "")
        if found["how"] == ":?" and not given:
            raise NotSet(f"{found['name']}: {found['rest']}")
        return given or (found["rest"] if found["how"] == ":-" else "")

    def filled(node: Any) -> Any:
        match node:
            case dict():
                return {key: filled(child) for key, child in node.items()}
            case list():
                return [filled(child) for child in node]
            case str():
                return _VARIABLE.sub(value, node)
        return node

    return filled(yaml.safe_load(path.read_text()))


def read_env_file(path: Path) -> dict[str, str]:
    lines = (line.strip() for line in path.read_text().splitlines())
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


def build_context() -> list[Path]:
    """Return the files that `COPY . ./` copies.

    These are the files of this tree that are in Git, or are new and not ignored, without those that
    .dockerignore excludes.
    """
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    ).stdout.decode()
    lines = (ROOT / ".dockerignore").read_text().splitlines()
    patterns = [line for line in lines if line and not line.startswith("#")]

    def is_left_out(name: str) -> bool:
        parts = Path(name).parts
        for pattern in patterns:
            anywhere = pattern.removeprefix("**/")
            if pattern != anywhere and any(fnmatch(part, anywhere) for part in parts):
                return True
            if fnmatch(parts[0], pattern):
                return True
        return False

    names = [name for name in listed.split("\0") if name and not is_left_out(name)]
    return [Path(name) for name in names if (ROOT / name).is_file()]
