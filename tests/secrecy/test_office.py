"""No right of an office works without a second factor: the rights, their uses and their acts.

`USES` names each function that asks for a right; `PREDICATES` and `ACTS` name each service that
depends on one. A test searches the code for them and fails for a new one that is not named here.
For an account with the right but without a second factor, each predicate says no, and each act is
refused and changes nothing. With a second factor the same act is done.
"""

import ast
from functools import cache
from pathlib import Path

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from django.apps import apps
from django.contrib.auth.models import Permission
from django.contrib.sessions.models import Session
from django.db import transaction
from django.urls import reverse

from accounts.auth.rights import Right, granted, holding, holds_office, holds_right, is_granted
from accounts.auth.roles import Rank, appointed, may_act_on, moderating, rank, role_of
from accounts.models import User
from accounts.moderation.refusals import ModerationRefused as AccountRefused
from accounts.services.audit import entries_for
from accounts.site.switches import forget_switches
from games.live.hub import RECONNECT
from games.models import Table
from games.moderation.case_access import cases_before, judge_of, other_judges
from games.selectors.viewer_settings import viewer_settings_of
from games.services import chat, table_moderation
from games.state.viewer import ViewerSettings
from games.wording.refusals import Refused
from tests.builders.person import Person
from tests.builders.sockets import IN_TIME, Socket, does
from tests.builders.tables import fresh, gather, person, run_table, user_at
from tests.nightly import by_day
from tests.second_factor import with_second_factor
from tests.secrecy.office_acts import ACTS, PREDICATES, WHY, _sanction, a_case, judge, office

ROOT = Path(__file__).parents[2]
HINT = "accounts.auth.middleware.SecondFactorMiddleware"


# The code -----------------------------------------------------------------------------------------

# The functions that decide: these ask Django, or each other.
_DECIDERS = {
    *("accounts.auth.rights.holds_right", "accounts.auth.rights.holding"),
    *(
        "accounts.auth.roles.rank",
        "accounts.auth.roles.moderating",
        "accounts.auth.roles.may_act_on",
    ),
}
# For each function that asks for a right, where its refusal is tested. "table": the table of
# test_access.py has the pages that it guards, with a stranger's answers for an office without a
# second factor. "acts": below. Otherwise the name of a test.
USES: dict[str, str] = {
    "accounts.admin.AccountAdmin.has_rights_permission": "table",
    "accounts.admin.AccountAdmin.get_readonly_fields": "table",
    "accounts.admin._may_touch": "table",
    "accounts.admin.OfficeAdmin.has_add_permission": "table",
    "accounts.admin.OfficeAdmin.has_change_permission": "table",
    "accounts.admin.OfficeAdmin.has_delete_permission": "table",
    "accounts.services.appeals.may_decide": "acts",
    "accounts.services.audit.entries_for": "test_the_audit_is_empty_without_a_second_factor",
    "accounts.services.roles.may_assign_role": "acts",
    "accounts.services.roles.assign_role": "acts",
    "accounts.services.sanctions.impose_sanction": "acts",
    "accounts.services.sanctions.lift_sanction": "acts",
    "accounts.services.switches.set_switches": "acts",
    "accounts.templatetags.moderation.rank_here": "table",
    "accounts.views.moderation.access.for_rank": "table",
    "accounts.views.moderation.users._page": "table",
    "config.urls._may_use_admin": "table",
    "games.moderation.case_access.judge_of": (
        "test_users_who_cannot_judge_find_no_cases_and_are_handed_none"
    ),
    "games.services.cases.claim_case": "acts",
    "games.services.table_moderation._is_moderator": "acts",
    "games.services.table_moderation.replace_seat": "acts",
    "games.services.chat.is_remover": "acts",
    "games.views.moderation.moderators_only": "table",
    "games.selectors.viewer_settings.viewer_settings_of": (
        "test_a_table_shows_an_office_without_a_second_factor_what_all_see"
    ),
}
# Django's own names for rights, which only accounts.auth.rights may read.
_NAMES = {
    *("has_perm", "has_perms", "has_module_perms", "ahas_perm", "ahas_perms", "ahas_module_perms"),
    *("get_all_permissions", "get_user_permissions", "get_group_permissions", "with_perm"),
    *("permission_required", "PermissionRequiredMixin", "user_passes_test", "UserPassesTestMixin"),
    *("staff_member_required", "is_staff", "is_superuser", "user_permissions", "groups"),
}
# Other files that may contain them.
_ALLOWED = {
    # The check itself, for Django's admin.
    "accounts/models/__init__.py": {"has_perm", "has_module_perms"},
    # The fields of an account's page in the admin.
    "accounts/admin.py": {"is_staff", "is_superuser", "user_permissions"},
    # These read what other accounts were given, not what the reader may do.
    "accounts/services/sessions.py": {"is_staff", "is_superuser"},
    "accounts/services/roles.py": {"groups"},
    "accounts/views/moderation/users.py": {"is_superuser"},
}


@cache
def sources() -> tuple[tuple[str, ast.Module], ...]:
    return tuple(
        (str(path.relative_to(ROOT)), ast.parse(path.read_text(encoding="utf-8")))
        for app in ("accounts", "games", "config")
        for path in sorted((ROOT / app).rglob("*.py"))
        if "migrations" not in path.parts
    )


def test_only_one_module_asks_django_for_rights():
    found: dict[str, set[str]] = {}
    for name, tree in sources():
        if name == "accounts/auth/rights.py":
            continue
        words = set()
        for node in ast.walk(tree):
            match node:
                case ast.Attribute(attr=word) | ast.keyword(arg=str(word)):
                    words.add(word)
                case ast.Name(id=word) | ast.FunctionDef(name=word) | ast.alias(name=word):
                    # Many things are called groups; an account's are reached by a dot.
                    words |= {word} - {"groups"}
                case ast.Constant(value=str(word)):
                    # A lookup such as "user__is_staff" counts too.
                    words |= set(word.split("__")) - {"groups"}
        if words & _NAMES:
            found[name] = words & _NAMES
    assert found == _ALLOWED


def test_rights_are_named_in_one_list_and_no_template_asks_for_one():
    names = {str(right) for right in Right if "." in right}
    for name, tree in sources():
        if name == "accounts/auth/rights.py":
            continue
        words = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
        assert not words & names, name
    for path in ROOT.glob("templates/**/*.html"):
        text = path.read_text(encoding="utf-8")
        assert not any(word in text for word in ("perms.", "is_staff", "is_superuser")), path


def test_every_right_of_this_site_is_in_the_list(db):
    """A right is any permission that a model of ours declares, except Django's four."""
    own = {
        f"{model._meta.app_label}.{codename}"
        for model in apps.get_models()
        for codename, _ in model._meta.permissions
    }
    assert own == {str(right) for right in Right if "." in right}


class _Calls(ast.NodeVisitor):
    """Collects the functions of a module, each with the dotted names that it mentions."""

    def __init__(self, module: str, tree: ast.Module) -> None:
        self.names: dict[str, str] = {}
        self.found: dict[str, set[str]] = {}
        self._here = module
        self._is_function = False
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module:
                for alias in node.names:
                    self.names[alias.asname or alias.name] = f"{node.module}.{alias.name}"
        for node in tree.body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                self.names[node.name] = f"{module}.{node.name}"
        self.visit(tree)

    def _enter(self, node: ast.FunctionDef | ast.ClassDef) -> None:
        # A nested function belongs to the function around it.
        if self._is_function:
            self.generic_visit(node)
            return
        before = self._here
        self._here = f"{before}.{node.name}"
        self._is_function = isinstance(node, ast.FunctionDef)
        self.generic_visit(node)
        self._here, self._is_function = before, False

    visit_FunctionDef = visit_ClassDef = _enter  # noqa: N815  ast's names

    def _mention(self, dotted: str) -> None:
        self.found.setdefault(self._here, set()).add(dotted)

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Load) and node.id in self.names:
            self._mention(self.names[node.id])

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if isinstance(node.value, ast.Name) and node.value.id in self.names:
            self._mention(f"{self.names[node.value.id]}.{node.attr}")
        self.generic_visit(node)


@cache
def mentions() -> dict[str, set[str]]:
    """Return, by function, the full names of the functions that it calls or names."""
    found: dict[str, set[str]] = {}
    for name, tree in sources():
        module = name.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
        found |= _Calls(module, tree).found
    return found


def test_every_use_of_a_right_is_listed_with_its_test():
    uses = {
        function
        for function, called in mentions().items()
        if called & _DECIDERS
        and not function.startswith(("accounts.auth.rights", "accounts.auth.roles"))
    }
    assert uses == set(USES)
    for test in USES.values():
        assert test in ("table", "acts") or test in globals(), test


def test_every_service_that_depends_on_a_right_is_tried():
    """This covers services that ask for the right some calls further down."""
    called = mentions()
    depends = set(_DECIDERS)
    while True:
        more = {
            function
            for function, names in called.items()
            if names & depends
            and function.startswith((*_SERVICES, "games.moderation.case_access."))
        }
        if more <= depends:
            break
        depends |= more
    services = {
        function.removeprefix(prefix)
        for function in depends
        for prefix in _SERVICES
        if function.startswith(prefix) and "._" not in function
    }
    tried = {act.name for act in ACTS} | {name for name, _, _ in PREDICATES} | {"audit.entries_for"}
    assert services - tried == set()


_SERVICES = ("accounts.services.", "games.services.")


def test_every_right_has_an_act():
    assert {act.right for act in ACTS} == set(Right)


def everything() -> dict[str, list[dict[str, object]]]:
    """Return all rows, except sessions, which browsers make."""
    return {
        model._meta.label: list(model._base_manager.order_by("pk").values())
        for model in apps.get_models()
        if model is not Session and model._meta.managed
    }


@pytest.fixture
def _no_hint(settings):
    """Turn off the pages that send users to set up a second factor: only the rights are left."""
    settings.MIDDLEWARE = [each for each in settings.MIDDLEWARE if each != HINT]


@pytest.fixture(autouse=True)
def _switches_as_they_were():
    yield
    forget_switches()


def rights_for(right: Right, is_superuser: bool) -> tuple[Right, ...]:
    return (Right.USE_ADMIN, Right.OWN_SITE) if is_superuser else (right,)


BY_RIGHT_OR_ALL = pytest.mark.parametrize(
    "is_superuser",
    [False, pytest.param(True, marks=pytest.mark.nightly)],
    ids=["that right", "superuser"],
)


@BY_RIGHT_OR_ALL
@pytest.mark.parametrize("tried", ACTS, ids=str)
@pytest.mark.usefixtures("_no_hint")
def test_an_act_needs_a_second_factor_and_changes_nothing_without(db, tried, is_superuser):
    act = tried.prepare()
    actor = office("Nora", *rights_for(tried.right, is_superuser))
    if tried.right is Right.USE_ADMIN:
        # Staff delete an account with permissions of Django's own.
        wanted = ("delete_user", "view_user", "change_user")
        actor.user_permissions.add(*Permission.objects.filter(codename__in=wanted))
    RecoveryCodes.activate(actor)
    before = everything()

    with pytest.raises((PermissionError, Refused, AccountRefused)):
        act(actor)

    # Signing in to the admin is noted at the account.
    noted = {"accounts.Signal", "accounts.SignalKey", "accounts.User"}
    assert unlike(before, everything()) <= noted
    with transaction.atomic():
        assert act(with_second_factor(User.objects.get(pk=actor.pk))) is not False
        assert unlike(before, everything()) - {"mfa.Authenticator"}


def unlike(before: dict, after: dict) -> set[str]:
    return {label for label in before if before[label] != after[label]}


@BY_RIGHT_OR_ALL
@pytest.mark.parametrize(("name", "right", "may"), PREDICATES, ids=[row[0] for row in PREDICATES])
def test_a_service_says_no_without_a_second_factor(db, name, right, may, is_superuser):
    case = a_case()
    user = office("Nora", *rights_for(right, is_superuser))
    assert not may(user, case)
    assert may(with_second_factor(user), case)


# The rights of each role --------------------------------------------------------------------------


@pytest.mark.parametrize("right", Right)
def test_a_right_is_held_with_an_app_or_a_key_and_not_with_recovery_codes(db, right):
    user = office("Nora", right)
    assert is_granted(user, right) and holds_office(user)
    assert not holds_right(user, right)
    if "." in right:
        assert not user.has_perm(right) and not user.has_module_perms(right.partition(".")[0])

    RecoveryCodes.activate(user)
    assert not holds_right(user, right)

    for kind in ("totp", "webauthn"):
        factor = Authenticator.objects.create(user=user, type=kind, data={})
        assert holds_right(user, right)
        factor.delete()
        assert not holds_right(user, right)

    with_second_factor(user)
    user.is_active = False
    assert not holds_right(user, right) and not is_granted(user, right)


def test_statements_about_accounts_decide_as_the_functions_do(db):
    people = [person("Sofia"), with_second_factor(person("Gleb"))]
    for number, right in enumerate(Right):
        people.append(office(f"Bare {number}", right))
        people.append(with_second_factor(office(f"Full {number}", right)))
    gone = with_second_factor(office("Gone", Right.MODERATE))
    gone.is_active = False
    gone.save()
    people.append(gone)
    for right in Right:
        if "." not in right:
            continue
        rows = User.objects.annotate(held=holding(right), given=granted(right)).in_bulk()
        for user in people:
            row = rows[user.pk]
            expected = holds_right(user, right), is_granted(user, right)
            assert (row.held, row.given) == expected, (user, right)
    rows = User.objects.annotate(held=moderating(), given=appointed()).in_bulk()
    for user in people:
        expected = rank(user) >= Rank.MODERATOR, role_of(user) >= Rank.MODERATOR
        assert (rows[user.pk].held, rows[user.pk].given) == expected, user


def test_a_moderator_without_a_second_factor_stays_out_of_reach_of_their_equals(db):
    nora, root = office("Nora", Right.MODERATE), office("Root", Right.OWN_SITE)
    mira = judge()
    senior = with_second_factor(office("Senta", Right.MODERATE_MORE))
    assert not may_act_on(mira, nora) and not may_act_on(senior, root)
    assert may_act_on(senior, nora)
    with pytest.raises(AccountRefused):
        _sanction()()(office("Ada", Right.MODERATE))
    assert {nora.pk, root.pk} <= judge_of(mira).above


def test_users_who_cannot_judge_find_no_cases_and_are_handed_none(db):
    case = a_case()
    nora, mira = office("Nora", Right.MODERATE), judge()
    assert judge_of(nora).rank == Rank.PERSON
    assert other_judges(mira, case) == []
    assert not cases_before(judge_of(nora)).exists()
    with_second_factor(nora)
    assert other_judges(mira, case) == [nora]
    assert cases_before(judge_of(nora)).exists()


def test_the_audit_is_empty_without_a_second_factor(db):
    table_moderation.freeze_table(actor=judge(), table=run_table(), **WHY)
    senta = office("Senta", Right.MODERATE_MORE)
    assert not entries_for(senta).exists()
    assert entries_for(with_second_factor(senta)).exists()


# At the table -------------------------------------------------------------------------------------


@pytest.mark.parametrize("hinted", [True, False], ids=["sent to set one up", "not there"])
@pytest.mark.parametrize(
    "rights",
    [
        [Right.MODERATE],
        pytest.param([Right.USE_ADMIN, Right.OWN_SITE], marks=pytest.mark.nightly),
    ],
)
@pytest.mark.parametrize("act", by_day(2, ["freeze", "thaw", "replace", "close", "void"]))
def test_the_exploit_a_table_is_not_ruled_without_a_second_factor(
    db, settings, act, rights, hinted
):
    """The table's order page was outside the paths that require a second factor."""
    if not hinted:
        settings.MIDDLEWARE = [each for each in settings.MIDDLEWARE if each != HINT]
    table = gather() if act == "close" else run_table()
    if act == "thaw":
        table_moderation.freeze_table(actor=judge(), table=table, **WHY)
    user = office("Nora", *rights)
    viewer = Person(user, fresh(table))
    path = reverse("games:order", args=[table.code])
    form = {"act": act, f"{act}-because": "report", f"{act}-reason": "somebody complained"}
    if act == "replace":
        form |= {"replace-seat": "3:Dario", "replace-heir": "bot"}
    viewer.get("/")
    before = everything()

    for answer in (viewer.get(path), viewer.post(path, form)):
        assert answer.status_code == (302 if hinted else 404)
        assert not hinted or answer.headers["Location"] == "/account/second-factor/"

    assert unlike(before, everything()) == set()
    with_second_factor(user)
    assert viewer.get(path).status_code == 200
    assert viewer.post(path, form).status_code == 303
    assert unlike(before, everything()) >= {"games.Ruling", "games.Table", "accounts.AuditEntry"}


@pytest.mark.parametrize("rights", [
    [Right.MODERATE, Right.REMOVE_MESSAGE], [Right.REMOVE_MESSAGE],
    [Right.USE_ADMIN, Right.OWN_SITE],
], ids=["moderator", "remover", "superuser"])  # fmt: skip
def test_a_table_shows_an_office_without_a_second_factor_what_all_see(db, rights):
    table = run_table()
    chat.say(table=table, user=table.host, text="Good morning", place="table", key="k")
    table = fresh(table)
    user = office("Nora", *rights)
    viewer = Person(user, table)
    removal = f"/moderation/tables/{table.code}/messages/"

    assert viewer_settings_of(user.pk, table) == ViewerSettings()
    for path in (table.get_absolute_url(), f"{viewer.url}panels/", f"{viewer.url}talk/"):
        page = viewer.get(path).content.decode()
        assert "/order/" not in page and removal not in page
    with_second_factor(user)
    assert viewer_settings_of(user.pk, table).may_remove
    assert removal in viewer.page()


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("closed_lines")
async def test_an_open_socket_follows_the_second_factor(transactional_db):
    """The socket reconnects at once, and the page has fewer links or more."""
    table = await does(run_table)()
    talked = {"text": "Good morning", "place": "table"}
    await does(chat.say)(table=table, user=await does(user_at)(table, 0), **talked, key="1")
    user = await does(office)("Nora", Right.MODERATE)
    removal = f"/moderation/tables/{table.code}/messages/"
    other = await Socket(await does(Person)(await does(person)("Sofia"), table)).catches_up()
    for change, shows in ((with_second_factor, True), (_without_second_factor, False)):
        socket = await Socket(await does(Person)(user, table)).catches_up()

        await does(change)(user)

        assert await socket.closes_with() == RECONNECT
        again = Socket(await does(Person)(user, table))
        assert await again.opens()
        await again.send(have={})
        text = await again.line.receive_output(timeout=IN_TIME)
        assert (removal in text["text"]) is shows
        await again.line.disconnect()
    assert await other.stays_silent()
    await other.line.disconnect()


def _without_second_factor(user: User) -> None:
    Authenticator.objects.filter(user=user).delete()


def test_the_header_leads_a_new_moderator_to_where_the_second_factor_is_set_up(db):
    user = office("Nora", Right.MODERATE)
    viewer = Person(user, Table(code="none"))

    assert reverse("games:queue") in viewer.get("/").content.decode()
    answer = viewer.client.get(reverse("games:queue"), follow=True)

    assert answer.redirect_chain == [("/account/second-factor/", 302)]
    assert "Set it up first" in answer.content.decode()
