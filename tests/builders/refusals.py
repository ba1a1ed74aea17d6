"""What a service refuses."""

from collections.abc import Callable

import pytest

from games.wording.refusals import Refusal, Refused


def refusal_of(service: Callable[..., object], *arguments: object, **named: object) -> Refusal:
    with pytest.raises(Refused) as refused:
        service(*arguments, **named)
    return refused.value.refusal
