"""Check digits: where the authentic number has a right one, its surrogate gets a right one too."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from string import ascii_uppercase, digits

_VIN_VALUES = dict(zip("ABCDEFGHJKLMNPRSTUVWXYZ", map(int, "12345678123457923456789"), strict=True))
_VIN_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)
_KEPT_AT_START = 3


def with_check(old: str, new: str, rules: Iterable[str]) -> str:
    """Return `new` with a right check digit or letter where `old` has one of a rule.

    Both are letters and digits only, in capitals, of one length. A rule is `npi`, `vin`, `luhn`,
    `iban`, `spanish social security`, or a module of python-stdnum by its name (`de.idnr`). Where
    no change of one character or two makes `new` right, it is returned as it is; the start of
    `old` is kept where the rule asks for it (X to Z of a NIE, the country of an IBAN).
    """
    for is_right in map(_rule, rules):
        if old and is_right(old):
            return next((each for each in _corrections(old, new) if is_right(each)), new)
    return new


def _corrections(old: str, new: str) -> Iterator[str]:
    """The number with another character or two beside each other, from its end on."""
    for kept in range(_KEPT_AT_START):
        base = old[:kept] + new[kept:]
        for size in (1, 2):
            for at in range(len(base) - size, kept - 1, -1):
                for piece in _pieces(base[at : at + size]):
                    yield base[:at] + piece + base[at + size :]


def _pieces(old: str) -> Iterable[str]:
    if len(old) == 1:
        return digits if old.isdigit() else ascii_uppercase
    return (f"{number:02}" for number in range(100)) if old.isdigit() else ()


def _rule(name: str) -> Callable[[str], bool]:
    return _rules().get(name) or import_module(f"stdnum.{name}").is_valid


@cache
def _rules() -> Mapping[str, Callable[[str], bool]]:
    """What says whether a number is right, by the names that the shipped languages use.

    They are imported plainly, so that a program that freezes Tandem finds them.
    """
    from stdnum import iban, luhn
    from stdnum.at import vnr
    from stdnum.ch import ssn
    from stdnum.de import idnr
    from stdnum.es import dni, nie

    every = {"at.vnr": vnr, "ch.ssn": ssn, "de.idnr": idnr, "es.dni": dni, "es.nie": nie}
    return {
        **{name: module.is_valid for name, module in every.items()},
        "npi": lambda number: _is(r"[12]\d{9}", number) and luhn.is_valid(f"80840{number}"),
        # of fewer than 13 digits, one number in ten is right by chance (Luhn, 1960)
        "luhn": lambda number: _is(r"\d{13,19}", number) and luhn.is_valid(number),
        "iban": lambda number: iban.is_valid(number, check_country=False),
        "vin": _vin,
        "spanish social security": lambda number: (
            _is(r"\d{12}", number) and int(number[:10]) % 97 == int(number[10:])
        ),
    }


def _is(pattern: str, number: str) -> bool:
    return re.fullmatch(pattern, number) is not None


def _vin(number: str) -> bool:
    """The vehicle identification number of ISO 3779, with the check digit of North America."""
    if not _is("[A-HJ-NPR-Z0-9]{17}", number):
        return False
    total = sum(
        weight * (int(char) if char in digits else _VIN_VALUES[char])
        for char, weight in zip(number, _VIN_WEIGHTS, strict=True)
    )
    return number[8] == "0123456789X"[total % 11]
