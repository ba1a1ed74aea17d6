"""Dockerfile, compose.yaml, the proxy's configuration, and the settings that they require."""

import re
import tomllib
from pathlib import Path

import pytest
import yaml
from babel.messages.pofile import read_po
from compose_spec import PyCompose

from config.environment import VARIABLES
from tests.hosting.files import (
    ROOT,
    NotSet,
    build_context,
    read_compose,
    read_dockerfile,
    read_env_file,
)

WANTED = {
    "SITE_URL": "https://play.example",
    "SECRET_KEY": "k" * 64,
    "POSTGRES_PASSWORD": "p" * 64,
    "TLS_FOLDER": "/etc/letsencrypt/live/play.example",
}


def test_compose_yaml_is_as_the_specification_has_it(tmp_path: Path) -> None:
    def check(text: str) -> None:
        file = tmp_path / "compose.yaml"
        file.write_text(text)
        # With its variables filled in and YAML's own merges done.
        PyCompose.from_yaml(yaml.safe_dump(read_compose(WANTED, file))).validate()

    text = (ROOT / "compose.yaml").read_text()
    check(text)
    for right, wrong in (
        ("restart: unless-stopped", "begin: unless-stopped"),
        ("service_healthy", "service_happy"),
        ("period: 40s", "period: soon"),
    ):
        assert right in text
        with pytest.raises(ValueError, match=wrong.split(": ")[wrong.startswith("period")]):
            check(text.replace(right, wrong))


@pytest.mark.parametrize("missing", WANTED)
def test_nothing_starts_while_a_secret_is_not_filled_in(missing: str) -> None:
    read_compose(WANTED)
    with pytest.raises(NotSet, match=missing):
        read_compose(WANTED | {missing: ""})


def test_the_example_leaves_every_secret_to_be_filled_in_and_forgets_no_setting() -> None:
    example = read_env_file(ROOT / ".env.example")
    assert not any(example[name] for name in WANTED)
    names = re.findall(r"\$\{(\w+)", (ROOT / "compose.yaml").read_text())
    assert set(names) == set(example)


def test_the_example_lists_every_setting_and_its_default() -> None:
    example = (ROOT / ".env.example").read_text()
    optional = dict(re.findall(r"^# ([A-Z_]+)=(.*)$", example, flags=re.MULTILINE))
    # compose.yaml reads these by itself.
    elsewhere = {"POSTGRES_PASSWORD", "TLS_FOLDER", "ACME_FOLDER"}
    assert {*VARIABLES} | elsewhere == {*optional, *read_env_file(ROOT / ".env.example")}
    for name, (kind, default) in VARIABLES.items():
        # A default that depends on another variable stands there in words.
        if optional.get(name) and default is not None:
            assert kind.read(optional[name]) == default, name


def test_the_settings_on_the_page_for_hosts_exist() -> None:
    page = (ROOT / "config" / "serving" / "HOSTING.md").read_text()
    section = page.split("## Settings")[1].split("\n##")[0]
    named = re.findall(r"^\| `(\w+)`", section, flags=re.MULTILINE)
    example = (ROOT / ".env.example").read_text()
    listed = re.findall(r"^(?:# )?([A-Z_]+)=", example, flags=re.MULTILINE)
    assert set(WANTED) < set(named) <= set(listed)


def test_the_changelog_begins_with_this_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    first = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), flags=re.MULTILINE)
    assert first is not None and first[1] == project["version"]


def test_labels_in_the_docs_are_those_of_the_site() -> None:
    with (ROOT / "locale" / "ru" / "LC_MESSAGES" / "django.po").open("rb") as file:
        labels = {str(message.id) for message in read_po(file)}
    # A game's name, and what stands for the name of a deleted account.
    labels |= {"Secret Hitler", "N. N."}
    for page in (ROOT / "README.md", ROOT / "accounts" / "README.md"):
        quoted = re.findall(r"\*([A-Z][^*\n]*)\*", page.read_text().replace("**", ""))
        assert set(quoted) <= labels, page


def test_every_link_in_the_docs_leads_to_a_file_or_a_heading() -> None:
    folders = ("accounts", "config", "games", "locale", "tests")
    pages = [
        *ROOT.glob("*.md"),
        *(page for name in folders for page in (ROOT / name).rglob("*.md")),
    ]
    assert ROOT / "tests" / "README.md" in pages
    for page in pages:
        for target in re.findall(r"\]\((?!https?:)([^)]+)\)", page.read_text()):
            path, _, anchor = target.partition("#")
            file = page.parent / path if path else page
            assert file.exists(), (page, target)
            if anchor:
                headings = re.findall(r"^#+ (.+)$", file.read_text(), flags=re.MULTILINE)
                slugs = {
                    re.sub(r"[^\w -]", "", each).lower().replace(" ", "-") for each in headings
                }
                assert anchor in slugs, (page, target)


def test_secrets_and_games_stay_out_of_the_image() -> None:
    names = {str(path) for path in build_context()}
    assert "manage.py" in names and "locale/ru/LC_MESSAGES/django.po" in names
    for name in names:
        assert not name.startswith((".", "data/", "tests/")), name


def test_the_image_runs_as_no_one_in_particular() -> None:
    user = read_dockerfile().user
    assert user.split(":")[0].isdigit()
    assert int(user.split(":")[0]) > 0


def test_a_process_has_the_time_that_it_takes_to_leave() -> None:
    services = read_compose(WANTED)["services"]
    source = (ROOT / "games/management/commands/serve.py").read_text()
    defaults = [float(number) for number in re.findall(r"default=(\d+\.\d+)", source)]
    assert len(defaults) == 3
    for name in ("web-1", "web-2"):
        assert int(services[name]["stop_grace_period"].removesuffix("s")) > sum(defaults) + 5


def test_no_log_grows_without_end() -> None:
    for name, service in read_compose(WANTED)["services"].items():
        assert int(service["logging"]["options"]["max-size"].removesuffix("m")) <= 10, name


def test_whatever_dies_is_started_again() -> None:
    services = read_compose(WANTED)["services"]
    once = {name for name, service in services.items() if service["restart"] == "no"}
    assert once == {"prepare"}
    assert {service["restart"] for service in services.values()} == {"no", "unless-stopped"}


def test_every_queue_has_a_worker_and_there_is_one_beat(settings) -> None:
    services = read_compose(WANTED)["services"]
    commands = [str(service.get("command", "")) for service in services.values()]
    served = [queue for line in commands for queue in re.findall(r"--queues (\S+)", line)]
    assert sorted(served) == sorted(queue.name for queue in settings.CELERY_TASK_QUEUES)
    assert sum(" beat " in line for line in commands) == 1
