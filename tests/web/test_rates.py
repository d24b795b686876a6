"""Rates: a burst, then so many a second, for each address by itself."""

from collections.abc import Iterator

import pytest
from flask.testing import FlaskClient

from companion.web import create_app
from companion.web.rates import MOST_ADDRESSES, Kind, Rates
from tests.web.table_at_hand import table_at_hand


class HandClock:
    def __init__(self) -> None:
        self.s = 50.0

    def __call__(self) -> float:
        return self.s


@pytest.fixture
def client() -> Iterator[FlaskClient]:
    with table_at_hand() as table:
        yield create_app(table).test_client()


@pytest.mark.parametrize("kind", Kind)
def test_a_burst_then_its_rate(kind: Kind) -> None:
    clock = HandClock()
    rates = Rates(clock)
    rate = kind.value
    taken = [rates.take("10.0.0.1", kind) for _ in range(int(rate.burst) + 1)]
    assert taken[:-1] == [0.0] * int(rate.burst)
    assert taken[-1] == pytest.approx(1 / rate.per_s)
    assert rates.take("10.0.0.2", kind) == 0.0, "others are not kept out"
    clock.s += 1.01 / rate.per_s
    assert rates.take("10.0.0.1", kind) == 0.0
    assert rates.take("10.0.0.1", kind) > 0.0
    clock.s += 10 * rate.burst / rate.per_s
    taken = [rates.take("10.0.0.1", kind) for _ in range(int(rate.burst) + 1)]
    assert taken.count(0.0) == int(rate.burst), "it fills up to the burst and no further"


def test_memory_is_bounded() -> None:
    rates = Rates(HandClock())
    for number in range(3 * MOST_ADDRESSES):
        rates.take(str(number), Kind.LOOKING)
    assert len(rates._left) <= MOST_ADDRESSES


def test_too_many_intents_are_told_when_again(client: FlaskClient) -> None:
    def press(address: str) -> tuple[int, str | None]:
        answer = client.post(
            "/api/intents",
            json={"revision": 1, "intent": {"type": "undo"}},
            environ_base={"REMOTE_ADDR": address},
        )
        return answer.status_code, answer.headers.get("Retry-After")

    answers = [press("192.168.1.9") for _ in range(40)]
    assert (429, "1") in answers
    assert press("192.168.1.10")[0] == 409
    assert {press("127.0.0.1")[0] for _ in range(60)} == {409}
    looking = client.get("/api/snapshot", environ_base={"REMOTE_ADDR": "192.168.1.9"})
    assert looking.status_code == 200, "who acts too often may still look"
