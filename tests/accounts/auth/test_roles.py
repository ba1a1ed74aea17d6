"""Roles: what makes a role, who gives and removes roles, and which rights they carry."""

import pytest

from accounts.auth.roles import Rank, may_act_on, rank, role_of
from accounts.models import AuditEntry, User
from accounts.moderation.refusals import ModerationRefusal, ModerationRefused
from accounts.services.roles import assign_role
from tests.accounts.conftest import a_user
from tests.accounts.office import at_the_desk, officer, owner

pytestmark = pytest.mark.django_db


def again(user: User) -> User:
    """Reload the user as the next request would: permissions are cached on the object."""
    return User.objects.get(pk=user.pk)


def test_each_role_has_the_rights_of_those_below_it(ada):
    ranks = [rank(officer(f"Officer {role.name}", role)) for role in list(Rank)[1:]]
    assert ranks == [Rank.MODERATOR, Rank.SENIOR, Rank.ADMIN]
    assert rank(owner()) == Rank.ADMIN and rank(ada) == Rank.PERSON
    for role in list(Rank)[1:]:
        held = User.objects.get(username=f"Officer {role.name}")
        assert held.has_perm("games.remove_message")


def test_a_closed_account_holds_no_role():
    mira = officer("Mira", Rank.ADMIN)
    mira.is_active = False
    assert rank(mira) == Rank.PERSON


def test_who_may_act_on_whom():
    cast = [a_user("Ada"), *(officer(f"Officer {role.name}", role) for role in list(Rank)[1:])]
    for actor in cast:
        for person in cast:
            may = may_act_on(actor, person)
            assert may == (cast.index(actor) > cast.index(person)), (actor, person)
    assert not any(may_act_on(person, person) for person in cast)


def test_an_admin_gives_and_takes_roles_on_the_person_s_page(ada):
    adam = officer("Adam", Rank.ADMIN)
    desk = at_the_desk(adam)
    page = f"/moderation/people/{ada.pk}/"

    assert desk.post(f"{page}role/", {"role": "2"}).headers["Location"] == page
    assert role_of(again(ada)) == Rank.SENIOR
    assert "Ada" in desk.get("/moderation/people/").content.decode()
    assert desk.post(f"{page}role/", {"role": "0"}).headers["Location"] == page
    assert role_of(again(ada)) == Rank.PERSON

    entries = AuditEntry.objects.order_by("number")
    assert [(entry.act, entry.data) for entry in entries] == [
        ("role_give", {"from": "person", "to": "senior"}),
        ("role_give", {"from": "senior", "to": "person"}),
    ]


def test_no_one_below_an_admin_gives_a_role(ada):
    for role in (Rank.MODERATOR, Rank.SENIOR):
        desk = at_the_desk(officer(f"Officer {role.name}", role))
        assert desk.post(f"/moderation/people/{ada.pk}/role/", {"role": "1"}).status_code == 404
        assert "/role/" not in desk.get(f"/moderation/people/{ada.pk}/").content.decode()
    assert role_of(again(ada)) == Rank.PERSON


def test_an_admin_neither_makes_nor_unmakes_admins_and_an_owner_does(ada):
    adam, other = officer("Adam", Rank.ADMIN), officer("Alma", Rank.ADMIN)
    with pytest.raises(ModerationRefused) as refused:
        assign_role(actor=adam, user=ada, role=Rank.ADMIN)
    assert refused.value.refusal == ModerationRefusal.OWNER_ONLY
    for user in (adam, other, owner()):
        with pytest.raises(ModerationRefused):
            assign_role(actor=adam, user=user, role=Rank.PERSON)

    root = User.objects.get(username="Root")
    assign_role(actor=root, user=ada, role=Rank.ADMIN)
    assign_role(actor=root, user=other, role=Rank.PERSON)
    assert role_of(again(ada)) == Rank.ADMIN and role_of(again(other)) == Rank.PERSON
    with pytest.raises(ModerationRefused):
        assign_role(actor=root, user=root, role=Rank.PERSON)


def test_what_takes_a_higher_role_is_not_there(ada):
    pages = {"/moderation/people/": 1, "/moderation/audit/": 2, "/moderation/switches/": 3}
    for role in list(Rank)[1:]:
        desk = at_the_desk(officer(f"Officer {role.name}", role))
        for page, least in pages.items():
            assert desk.get(page).status_code == (200 if role >= least else 404), (role, page)
