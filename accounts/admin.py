"""Accounts in Django's admin. Only superusers may grant permissions."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from allauth.account.admin import EmailAddressAdmin
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django import forms
from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.forms import AdminUserCreationForm, UserChangeForm
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import Group
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from accounts.auth.rights import Right, has_any_grant, holds_right
from accounts.models import User
from accounts.profiles.names import validate_name
from accounts.services.account_deletion import erase_account
from accounts.services.audit import write_audit
from accounts.services.names import held_names, is_name_free

_RIGHTS = ("is_staff", "is_superuser", "groups", "user_permissions")
# The attribute of a request that holds what was prepared before the admin's transaction.
_PREPARED = "_prepared_account"


@dataclass(frozen=True)
class _Prepared:
    """What an account form needs and what takes long to get.

    Django's admin validates and saves in one transaction, and on SQLite all writers wait for
    it. So the password is hashed and the cache is read before it begins.
    """

    password: str = ""
    held: frozenset[str] = frozenset()


def _prepared(request: HttpRequest) -> _Prepared:
    name, password = request.POST.get("username", ""), request.POST.get("password1", "")
    try:
        validate_name(name)
    except ValidationError:
        # The form reports the same error, and saves nothing.
        return _Prepared()
    return _Prepared(make_password(password) if password else "", held_names(name))


if TYPE_CHECKING:
    _UserForm = forms.ModelForm[User]
    _UserCreationForm = AdminUserCreationForm[User]
    _UserChangeForm = UserChangeForm[User]
    _AnyAdmin = admin.ModelAdmin[Any]
    _UserAdmin = UserAdmin[User]
else:
    # Django's classes take no type at runtime.
    _UserForm = forms.ModelForm
    _UserCreationForm = AdminUserCreationForm
    _UserChangeForm = UserChangeForm
    _AnyAdmin = admin.ModelAdmin
    _UserAdmin = UserAdmin


class _NameMixin(_UserForm):
    """Applies the same name rules as the site's own registration form."""

    prepared = _Prepared()

    def clean_username(self) -> str:
        username: str = self.cleaned_data["username"]
        if username == self.initial.get("username"):
            return username
        user = self.instance if self.instance.pk else None
        return is_name_free(username, held=self.prepared.held, user=user)


class _AddForm(_NameMixin, _UserCreationForm):
    def set_password_and_save(self, user: User, commit: bool = True, **kwargs: Any) -> User:
        if not self.cleaned_data["set_usable_password"]:
            return super().set_password_and_save(user, commit=commit, **kwargs)
        user.password = self.prepared.password
        if commit:
            user.save()
        return user


class _ChangeForm(_NameMixin, _UserChangeForm):
    pass


class AuditedAdmin(_AnyAdmin):
    """Writes every change made here to the audit too, in the same transaction."""

    def log_addition(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        _audit(request, "add", obj, message)
        return super().log_addition(request, obj, message)

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        _audit(request, "change", obj, message)
        return super().log_change(request, obj, message)

    def log_deletions(self, request: HttpRequest, queryset: Any) -> Any:
        for obj in queryset:
            _audit(request, "delete", obj, "")
        return super().log_deletions(request, queryset)


def _audit(request: HttpRequest, act: str, obj: Any, message: Any) -> None:
    assert request.user.is_authenticated
    about = obj if isinstance(obj, User) else getattr(obj, "user", None)
    write_audit(
        actor=request.user,
        act=f"admin_{act}_{obj._meta.model_name}"[:40],
        about=about,
        data={"pk": obj.pk, "message": message},
    )


@admin.register(User)
class AccountAdmin(AuditedAdmin, _UserAdmin):
    """User accounts. Staff may edit players; only superusers may edit accounts with permissions.

    Otherwise staff who can reset passwords could take over any account with permissions.
    """

    add_form = _AddForm
    form = _ChangeForm
    list_display = ("username", "email", "language", "is_active", "is_staff", "date_joined")
    fieldsets = (
        *(UserAdmin.fieldsets or ())[:1],
        (None, {"fields": ("language",)}),
        *(UserAdmin.fieldsets or ())[1:],
    )
    show_full_result_count = False
    actions = ("remove_second_factor",)

    def add_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        self._prepare(request, may=self.has_add_permission(request))
        return super().add_view(request, *args, **kwargs)

    def change_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        self._prepare(request, may=self.has_change_permission(request))
        return super().change_view(request, *args, **kwargs)

    def get_form(
        self, request: HttpRequest, obj: User | None = None, change: bool = False, **kwargs: Any
    ) -> Any:
        form: Any = super().get_form(request, obj, change=change, **kwargs)
        form.prepared = getattr(request, _PREPARED, form.prepared)
        return form

    def _prepare(self, request: HttpRequest, *, may: bool) -> None:
        if request.method == "POST" and may:
            setattr(request, _PREPARED, _prepared(request))

    @admin.action(description=_("Remove the second factor"), permissions=["rights"])
    def remove_second_factor(self, request: HttpRequest, queryset: Any) -> None:
        """Remove the second factor, for users who have proved their identity.

        They have lost both the factor and their recovery codes.
        """
        for user in queryset:
            if Authenticator.objects.filter(user=user).delete()[0]:
                self.log_change(request, user, "Removed the second factor.")

    def delete_model(self, request: HttpRequest, obj: User) -> None:
        """Erase the account as if its owner had closed it: seats stay, without a player."""
        erase_account(user=obj)

    def delete_queryset(self, request: HttpRequest, queryset: Any) -> None:
        for user in queryset:
            erase_account(user=user)

    def has_rights_permission(self, request: HttpRequest) -> bool:
        return holds_right(request.user, Right.OWN_SITE)

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> tuple[str, ...]:
        return () if holds_right(request.user, Right.OWN_SITE) else _RIGHTS

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return super().has_change_permission(request, obj) and _may_touch(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return super().has_delete_permission(request, obj) and _may_touch(request, obj)

    def get_deleted_objects(
        self, objs: Sequence[Any] | QuerySet[Any], request: HttpRequest
    ) -> tuple[list[str], dict[str, int], set[str], list[Any]]:
        """List the accounts only: the related objects would reveal which seats they hold."""
        _, _, missing, protected = super().get_deleted_objects(objs, request)
        own = {str(User._meta.verbose_name)}
        return [str(user) for user in objs], {}, set(missing) & own, protected


def _may_touch(request: HttpRequest, obj: User | None) -> bool:
    if obj is None or obj.pk == request.user.pk or holds_right(request.user, Right.OWN_SITE):
        return True
    return not has_any_grant(obj)


# Their pages show secrets that open an account: keys of authenticator apps, and session keys.
admin.site.unregister([Authenticator, UserSession])


admin.site.unregister([EmailAddress, Group])


@admin.register(EmailAddress)
class AddressAdmin(AuditedAdmin, EmailAddressAdmin):
    """E-mail addresses. Staff may not change those of accounts with permissions.

    With another address, staff could have a new password sent to themselves.
    """

    def has_change_permission(self, request: HttpRequest, obj: EmailAddress | None = None) -> bool:
        may = super().has_change_permission(request, obj)
        return may and _may_touch(request, None if obj is None else obj.user)

    def has_delete_permission(self, request: HttpRequest, obj: EmailAddress | None = None) -> bool:
        may = super().has_delete_permission(request, obj)
        return may and _may_touch(request, None if obj is None else obj.user)


@admin.register(Group)
class OfficeAdmin(AuditedAdmin, GroupAdmin):
    """Groups of permissions. Only superusers may add, change or delete them."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return holds_right(request.user, Right.OWN_SITE)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return holds_right(request.user, Right.OWN_SITE)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return holds_right(request.user, Right.OWN_SITE)
