"""Accounts in Django's admin; who may do what is decided by superusers alone."""

from collections.abc import Iterable
from typing import Any

from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django import forms
from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.forms import AdminUserCreationForm, UserChangeForm
from django.contrib.auth.models import Group
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.models import NameChange, User
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


@admin.register(User)
class AccountAdmin(UserAdmin):
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


admin.site.unregister(Group)


@admin.register(Group)
class OfficeAdmin(GroupAdmin):
    """Groups of rights: for superusers to make and change."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.is_superuser)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.is_superuser)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.is_superuser)
