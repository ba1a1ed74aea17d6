"""Friends: requests by name, accepting and removing them; and blocking people."""

import re

import pytest
from django.conf import settings
from django.db import IntegrityError, transaction
from django.test import Client

from accounts.models import Block, Friendship, Notification, User
from accounts.services import friends
from accounts.services.friends import NotPossible
from accounts.throttling.limits import forget_all
from tests.builders.tables import person

pytestmark = pytest.mark.django_db

PAGE = "/account/people/"


@pytest.fixture
def ada() -> User:
    return person("Ada")


@pytest.fixture
def boris() -> User:
    return person("Boris")


def browser(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def ask(user: User, name: str):
    return browser(user).post(f"{PAGE}ask/", {"name": name}, follow=True)


def are_friends(one: User, other: User) -> bool:
    return other.pk in Friendship.objects.friends_of(one.pk)


def befriend(one: User, other: User) -> None:
    friends.request_friendship(user=one, name=other.username)
    friends.accept_friend(user=other, other=one)


def told(user: User) -> list[tuple[str, str]]:
    return list(user.notifications.order_by("at").values_list("kind", "by__username"))


def page(user: User) -> str:
    answer = browser(user).get(PAGE)
    assert answer.status_code == 200
    return answer.content.decode()


def test_who_is_asked_accepts_and_both_are_friends(ada, boris):
    ask(ada, "Boris")
    assert not are_friends(ada, boris)
    assert told(boris) == [("asked", "Ada")]

    browser(boris).post(f"{PAGE}accept/", {"name": "Ada"})

    assert are_friends(ada, boris) and are_friends(boris, ada)
    assert told(ada) == [("accepted", "Boris")]
    # The notification goes once the request has been answered.
    assert told(boris) == []


@pytest.mark.parametrize("name", ["boris", "BORIS", "  Boris ", "\uff22oris"])
def test_a_name_is_found_in_any_case_and_width(ada, boris, name):
    ask(ada, name)

    assert Friendship.objects.between(ada.pk, boris.pk).count() == 1


def test_the_answer_does_not_tell_whether_the_name_exists_or_has_blocked_the_asker(ada, boris):
    person("Chika")
    friends.block_user(user=boris, name="Ada")
    answers = set()
    for name in ("Chika", "Nobody Here", "Boris"):
        answer = ask(ada, name)
        html = answer.content.decode()
        assert name not in html
        answers.add((answer.status_code, tuple(str(m) for m in answer.context["messages"])))
    assert len(answers) == 1
    assert told(boris) == []
    assert not Friendship.objects.between(ada.pk, boris.pk).exists()


def test_a_request_that_waits_is_not_listed_for_who_made_it(ada, boris):
    ask(ada, "Boris")

    assert "Boris" not in page(ada)
    assert "Ada" in page(boris)


def test_asking_twice_asks_once(ada, boris):
    ask(ada, "Boris")
    ask(ada, "Boris")

    assert told(boris) == [("asked", "Ada")]
    assert Friendship.objects.count() == 1


def test_asking_someone_who_has_asked_accepts(ada, boris):
    ask(ada, "Boris")
    ask(boris, "Ada")

    assert are_friends(ada, boris)
    assert Friendship.objects.count() == 1


def test_two_people_have_one_row_whoever_asks(ada, boris):
    Friendship.objects.create(asked_by=ada, asked=boris)
    with pytest.raises(IntegrityError), transaction.atomic():
        Friendship.objects.create(asked_by=boris, asked=ada)


def test_a_declined_request_is_gone_and_the_asker_is_not_told(ada, boris):
    ask(ada, "Boris")

    browser(boris).post(f"{PAGE}decline/", {"name": "Ada"})

    assert not Friendship.objects.exists()
    assert told(ada) == told(boris) == []


def test_no_one_accepts_their_own_request(ada, boris):
    ask(ada, "Boris")

    browser(ada).post(f"{PAGE}accept/", {"name": "Boris"})

    assert not are_friends(ada, boris)


@pytest.mark.parametrize("who", ["ada", "boris"])
def test_either_of_two_friends_may_end_it(ada, boris, who):
    befriend(ada, boris)
    one, other = (ada, boris) if who == "ada" else (boris, ada)

    browser(one).post(f"{PAGE}remove/", {"name": other.username})

    assert not are_friends(ada, boris)


def test_open_requests_have_an_end(ada, monkeypatch):
    monkeypatch.setattr(friends, "MOST_REQUESTS", 2)
    for name in ("Boris", "Chika", "Dario"):
        person(name)
    friends.request_friendship(user=ada, name="Boris")
    friends.request_friendship(user=ada, name="Chika")

    with pytest.raises(NotPossible) as refused:
        friends.request_friendship(user=ada, name="Dario")

    assert refused.value.reason == NotPossible.TOO_MANY


def test_requests_are_limited_more_than_clicks(ada, boris, monkeypatch):
    monkeypatch.setitem(settings.LIMITS, "creations", "2/hour")
    forget_all()
    client = browser(ada)
    answers = [client.post(f"{PAGE}ask/", {"name": "Boris"}).status_code for _ in range(3)]
    forget_all()

    assert answers == [303, 303, 429]


def test_a_block_ends_a_friendship_and_what_was_told(ada, boris):
    befriend(ada, boris)
    assert told(ada) == [("accepted", "Boris")]

    browser(ada).post(f"{PAGE}block/", {"name": "boris"})

    assert not are_friends(ada, boris)
    assert told(ada) == []
    assert Block.objects.by(ada.pk) == {boris.pk}
    assert Block.objects.by(boris.pk) == set()
    assert "Unblock" in page(ada) and "Unblock" not in page(boris)


def test_who_is_blocked_asks_in_vain_until_unblocked(ada, boris):
    friends.block_user(user=ada, name="Boris")
    ask(boris, "Ada")
    assert told(ada) == []

    browser(ada).post(f"{PAGE}unblock/", {"name": "Boris"})
    ask(boris, "Ada")

    assert told(ada) == [("asked", "Boris")]


def test_a_blocked_person_is_unblocked_before_they_are_asked(ada, boris):
    friends.block_user(user=ada, name="Boris")

    answer = ask(ada, "Boris")

    assert answer.status_code == 422
    assert "You’ve blocked this person" in answer.content.decode()
    assert told(boris) == []


def test_blocking_a_name_says_the_same_whether_someone_has_it(ada, boris):
    said = set()
    for name in ("Boris", "Nobody Here"):
        answer = browser(ada).post(f"{PAGE}block/", {"name": name}, follow=True)
        said.add(tuple(str(message) for message in answer.context["messages"]))
    assert len(said) == 1


def test_the_list_of_blocked_names_looks_the_same_for_unregistered_names(ada, boris):
    def listed(name: str) -> list[list[str]]:
        browser(ada).post(f"{PAGE}block/", {"name": name})
        # The name's owner is renamed later.
        boris.username = "Bob"
        boris.save()
        shown = [page(ada), ask(ada, name).content.decode()]
        browser(ada).post(f"{PAGE}unblock/", {"name": name})
        boris.username = "Boris"
        boris.save()
        shown.append(page(ada))
        # The words and the links, without the tokens and the mark, which is drawn from the name.
        mains = [html.partition("<main")[2].replace(name, "NAME") for html in shown]
        return [re.findall(r'<a [^>]*>|value="NAME"|(?<=>)[^<]{2,}', main) for main in mains]

    known, unknown = listed("BORIS"), listed("NOBODY")

    assert "NAME" in known[0] and "Unblock" in known[0] and "Unblock" not in known[2]
    assert "You’ve blocked this person" in " ".join(known[1])
    assert known == unknown


def test_a_name_is_blocked_once_and_blocked_names_are_limited(ada, boris, monkeypatch):
    monkeypatch.setattr(friends, "MOST_BLOCKED", 2)
    for name in ("Boris", "boris", "Nobody Here"):
        friends.block_user(user=ada, name=name)

    answer = browser(ada).post(f"{PAGE}block/", {"name": "Somebody"})

    assert answer.status_code == 422
    assert "Your block list is full." in answer.content.decode()
    assert friends.blocked_names(ada) == [("Boris", ""), ("Nobody Here", "")]


def test_closed_accounts_are_no_one_s_friends(ada, boris):
    befriend(ada, boris)
    boris.is_active = False
    boris.save()

    assert "Boris" not in page(ada)
    ask(person("Chika"), "Boris")
    assert not Notification.objects.filter(user=boris, by=person("Chika")).exists()


def test_no_one_sees_anyone_else_s_people(ada, boris):
    befriend(ada, boris)
    friends.block_user(user=ada, name=person("Chika").username)

    other = page(person("Dario"))

    assert not any(name in other for name in ("Ada", "Boris", "Chika"))
