"""The installed app: what its service worker keeps, and the page that it shows offline."""

import json
import re

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from games.views.shell import SHELL
from tests.builders.tables import person

pytestmark = pytest.mark.django_db


def worker():
    answer = Client().get("/service-worker.js")
    assert answer.headers["Content-Type"].startswith("text/javascript")
    return answer.content.decode()


def test_the_worker_keeps_only_static_files_and_the_offline_page():
    text = worker()
    files = json.loads(re.search(r"FILES = (.*);", text)[1])

    assert all(path.startswith("/static/") for path in files)
    assert all(finders.find(name) for name in SHELL)
    # The only writes to a cache are the files, and the page fetched without cookies.
    assert re.findall(r"cache\.(?:add|addAll|put)\(.*\);", text) == [
        "cache.addAll(FILES);",
        "cache.put(OFFLINE, page);",
    ]
    assert '"omit"' in text


def test_the_worker_is_the_same_for_everyone(client):
    before = worker()
    client.force_login(person("Ada"))

    assert client.get("/service-worker.js").content.decode() == before


def test_the_offline_page_says_nothing_of_its_reader(client):
    before = Client().get("/offline/").content
    client.force_login(person("Ada"))
    answer = client.get("/offline/")

    assert answer.content == before
    assert not answer.cookies
    # All that it loads is kept with it.
    loaded = set(re.findall(r"/static/([^\"]+\.(?:css|svg|js))\"", before.decode()))
    assert loaded <= set(SHELL)


def test_pages_may_start_workers_of_this_site_only(client):
    assert "worker-src 'self'" in client.get("/").headers["Content-Security-Policy"]
