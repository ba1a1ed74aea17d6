"""Accounts in Django's admin; who may do what is decided by superusers alone."""

from collections.abc import Iterable
from typing import Any

from allauth.account.admin import EmailAddressAdmin
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django import forms
from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.forms import AdminUserCreationForm, UserChangeForm
from django.contrib.auth.models import Group
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.models import AuditEntry, NameChange, Sanction, User
from accounts.services.audit import audit_write
from accounts.services.departures import account_erase
from accounts.services.names import name_clean

_RIGHTS = ("is_staff", "is_superuser", "groups", "user_permissions")


class _NameMixin(forms.ModelForm):
    """The same names as at the site's own door."""

    def clean_username(self) -> str:
        username: str = self.cleaned_data["username"]
        if username == self.initial.get("username"):
            return username
        return name_clean(username, user=self.instance if self.instance.pk else None)


class _AddForm(_NameMixin, AdminUserCreationForm):
    pass


class _ChangeForm(_NameMixin, UserChangeForm):
    pass


class AuditedAdmin(admin.ModelAdmin):
    """Whatever is changed here stands in the audit too, in the transaction of the change."""

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
    name = obj._meta.model_name
    about = obj if isinstance(obj, User) else getattr(obj, "user", None)
    audit_write(
        actor=request.user,
        act=f"admin_{act}_{name}"[:40],
        about=about,
        table=getattr(obj, "code", "") if name == "table" else "",
        data={"pk": obj.pk, "message": message},
    )


class _ReadOnlyAdmin(admin.ModelAdmin):
    """Nobody adds, changes or deletes, superusers included."""

    actions = None
    show_full_result_count = False
    view_on_site = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        # Moderators have pages of their own, which know on whom they may look.
        return bool(request.user.is_superuser)


@admin.register(User)
class AccountAdmin(AuditedAdmin, UserAdmin):
    """Staff look after players. Whoever holds an office, and every right, is for superusers:
    else the one who may reset passwords may become any of the others."""

    add_form = _AddForm
    form = _ChangeForm
    list_display = ("username", "email", "language", "is_active", "is_staff", "date_joined")
    fieldsets = (
        *UserAdmin.fieldsets[:1],
        (None, {"fields": ("language",)}),
        *UserAdmin.fieldsets[1:],
    )
    show_full_result_count = False
    actions = ("remove_second_factor",)

    @admin.action(description=_("Remove the second factor"), permissions=["rights"])
    def remove_second_factor(self, request: HttpRequest, queryset: Any) -> None:
        """For who has lost it, and the codes too, and has shown who they are."""
        for user in queryset:
            if Authenticator.objects.filter(user=user).delete()[0]:
                self.log_change(request, user, "Removed the second factor.")

    def delete_model(self, request: HttpRequest, obj: User) -> None:
        """As an account goes that its owner has closed: seats stay, and nobody in them."""
        account_erase(user=obj)

    def delete_queryset(self, request: HttpRequest, queryset: Any) -> None:
        for user in queryset:
            account_erase(user=user)

    def has_rights_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.is_superuser)

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> tuple[str, ...]:
        return () if request.user.is_superuser else _RIGHTS

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return super().has_change_permission(request, obj) and _may_touch(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return super().has_delete_permission(request, obj) and _may_touch(request, obj)

    def get_deleted_objects(
        self, objs: Iterable[User], request: HttpRequest
    ) -> tuple[list[str], dict[str, int], set[str], list[Any]]:
        """Names the accounts and not what goes with them: that would tell who sits where."""
        _, _, missing, protected = super().get_deleted_objects(objs, request)
        own = {str(User._meta.verbose_name)}
        return [str(user) for user in objs], {}, set(missing) & own, protected


def _may_touch(request: HttpRequest, obj: User | None) -> bool:
    if obj is None or request.user.is_superuser or obj.pk == request.user.pk:
        return True
    has_rights = obj.user_permissions.exists() or obj.groups.exists()
    return not (obj.is_staff or obj.is_superuser or has_rights)


# They show what opens an account: keys of codes, and of sessions.
admin.site.unregister([Authenticator, UserSession])


admin.site.unregister([EmailAddress, Group])


@admin.register(EmailAddress)
class AddressAdmin(AuditedAdmin, EmailAddressAdmin):
    """Who changes an address may have a new password sent to it: not those of offices."""

    def has_change_permission(self, request: HttpRequest, obj: EmailAddress | None = None) -> bool:
        may = super().has_change_permission(request, obj)
        return may and _may_touch(request, None if obj is None else obj.user)

    def has_delete_permission(self, request: HttpRequest, obj: EmailAddress | None = None) -> bool:
        may = super().has_delete_permission(request, obj)
        return may and _may_touch(request, None if obj is None else obj.user)


@admin.register(Sanction)
class SanctionAdmin(_ReadOnlyAdmin):
    """What was laid upon whom: imposed and lifted on the moderators' own pages alone."""

    list_display = ("at", "user", "kind", "by", "ends_at", "lifted_at")
    list_filter = ("kind",)
    list_select_related = ("user", "by")
    search_fields = ("user__username", "by__username", "reason")
    ordering = ("-at",)


@admin.register(AuditEntry)
class AuditAdmin(_ReadOnlyAdmin):
    """The audit, to be searched. Its people are numbers: they may be gone."""

    list_display = ("number", "at", "actor_id", "act", "about_id", "table")
    search_fields = ("=act", "=table", "digest")
    ordering = ("-number",)
    fields = readonly_fields = (
        *("number", "at", "actor_id", "act", "about_id", "table"),
        *("data", "previous", "digest"),
    )


@admin.register(NameChange)
class NameChangeAdmin(admin.ModelAdmin):
    """Who went by which name: read, and written by the change itself."""

    list_display = ("user", "old", "new", "at")
    list_select_related = ("user",)
    search_fields = ("user__username", "old", "new")
    ordering = ("-at",)
    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Group)
class OfficeAdmin(AuditedAdmin, GroupAdmin):
    """Groups of rights: for superusers to make and change."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.is_superuser)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.is_superuser)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.is_superuser)
