"""Records that are told by what is different to the last of their topic; docs/protocol.md has the format."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

_DIGITS = {c: i for i, c in enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")}
_BODY = ',"body":'
_SWAPPED = str.maketrans("\"'", "'\"")


class Lost(Exception):
    """A delta against what is not here; ``address`` is the filter, or empty for one that was unregistered."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.address = address


@dataclass
class _Filter:
    address: str
    opening: str
    #: By the number of the topic: its last record, from the value of ``body`` on.
    rests: dict[int, str] = field(default_factory=dict)


class Deltas:
    """What one connection was told by numbers that stand for filters and topics."""

    def __init__(self) -> None:
        self._filters: dict[int, _Filter] = {}

    def read(self, text: str) -> str:
        """The message that a text stands for, which is JSON; raises `Lost`."""
        if text.startswith("{"):
            return text
        number, at = _number(text, 0)
        topic, at = _number(text, at)
        known = self._filters.get(number)
        if text.startswith("{", at):
            message = text[at:]
            body = message.index(_BODY) + len(_BODY)
            if known is None or known.opening != message[:body]:
                known = self._filters[number] = _Filter(json.loads(message)["address"], message[:body])
            known.rests[topic] = message[body:]
            return message
        if known is None:
            raise Lost("")
        try:
            rest = known.rests[topic] = _apply(known.rests[topic], text, at)
        except (KeyError, ValueError):
            raise Lost(known.address) from None
        return known.opening + rest

    def forget(self, address: str) -> None:
        """What is told of this filter begins anew."""
        self._filters = {number: each for number, each in self._filters.items() if each.address != address}


def _number(text: str, at: int) -> tuple[int, int]:
    """A number in digits of 5 bits, the least first, and where the next thing begins."""
    number = shift = 0
    while True:
        digit = _DIGITS.get(text[at : at + 1], 0)
        at += 1
        number |= (digit & 31) << shift
        shift += 5
        if digit < 32:
            return number, at


def _apply(base: str, text: str, at: int) -> str:
    """Lengths are in units of UTF-16: where a character takes two, both are turned into such units first."""
    if not base.isascii() or not text.isascii():
        return _joined(_apply_units(_units(base), _units(text), at))
    return _apply_units(base, text, at)


def _apply_units(base: str, text: str, at: int) -> str:
    check = _DIGITS.get(text[at : at + 1], -1)
    at += 1
    place = 0
    out: list[str] = []
    while at < len(text):
        copied, at = _number(text, at)
        inserted, at = _number(text, at)
        replaced = inserted >> 1
        if inserted & 1:
            replaced, at = _number(text, at)
        inserted >>= 1
        out += base[place : place + copied], text[at : at + inserted].translate(_SWAPPED)
        place += copied + replaced
        at += inserted
    if place > len(base):
        raise ValueError("not against this base")
    out.append(base[place:])
    made = "".join(out)
    if len(made) % 64 != check:
        raise ValueError("not of this length")
    return made


def _units(text: str) -> str:
    """A text whose characters are the units of UTF-16."""
    data = text.encode("utf-16-le")
    if len(data) == 2 * len(text):
        return text
    return "".join(chr(low | high << 8) for low, high in zip(data[::2], data[1::2], strict=True))


def _joined(units: str) -> str:
    return units.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
