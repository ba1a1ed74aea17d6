"""Users whom notices reach by every way."""

from allauth.account.models import EmailAddress

from accounts.models import PushDevice, User
from accounts.services import web_push

ENDPOINT = "https://fcm.googleapis.com/fcm/send/a-browser"
P256DH = "BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM"
AUTH = "tBHItJI5svbpez7KI4CCXg"


def with_address(user: User, *, is_confirmed: bool = True) -> User:
    EmailAddress.objects.create(
        user=user, email=f"{user.pk}@example.org", primary=True, verified=is_confirmed
    )
    return user


def with_device(user: User) -> PushDevice:
    web_push.add_device(user=user, endpoint=f"{ENDPOINT}{user.pk}", p256dh=P256DH, auth=AUTH)
    return PushDevice.objects.get(user=user)


def reached(user: User) -> User:
    """Give the user a confirmed address and a device, and return the user."""
    with_device(with_address(user))
    return user
