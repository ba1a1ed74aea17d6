"""Static files are compressed once, while installing, and again when one has changed."""

from pathlib import Path

import pytest
from django.conf import settings as django_settings

from config.launcher import prepare
from config.launcher.prepare import collect_static


@pytest.fixture
def source(settings, tmp_path: Path) -> Path:
    """Return the only static file, of a site that has collected nothing."""
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    settings.STATICFILES_DIRS = [tmp_path / "source"]
    settings.STATIC_ROOT = tmp_path / "served"
    # tests/conftest.py leaves out what this test is about.
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
    }
    file = tmp_path / "source" / "site.css"
    file.parent.mkdir()
    file.write_text("a { color: red }" * 100)
    return file


def served() -> dict[str, int]:
    """Return the number of served files by their last suffix."""
    files = list(Path(django_settings.STATIC_ROOT).glob("site.*"))
    return {end: sum(file.suffix == end for file in files) for end in (".css", ".gz", ".br")}


def test_a_second_start_collects_nothing_and_a_changed_file_is_served_anew(source, monkeypatch):
    collect_static()
    assert served() == {".css": 1, ".gz": 1, ".br": 1}

    with monkeypatch.context() as patch:
        patch.setattr(prepare, "call_command", lambda *args, **how: pytest.fail("collected again"))
        collect_static()
    source.write_text("a { color: blue }" * 100)
    collect_static()

    # Pages that were served before the update still find the old one.
    assert served() == {".css": 2, ".gz": 2, ".br": 2}


def test_an_interrupted_collection_is_done_again(source, monkeypatch):
    def stops(*args: object, **how: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(prepare, "call_command", stops)
        with pytest.raises(KeyboardInterrupt):
            collect_static()

    collect_static()

    assert served() == {".css": 1, ".gz": 1, ".br": 1}
