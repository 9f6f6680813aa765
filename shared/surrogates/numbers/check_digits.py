"""Check digits: where the authentic number has a right one, its surrogate gets a right one too."""

import re
from collections.abc import Callable, Iterable, Iterator
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


@cache
def _rule(name: str) -> Callable[[str], bool]:
    if name in _OWN_RULES:
        return _OWN_RULES[name]
    return import_module(f"stdnum.{name}").is_valid


def _npi(number: str) -> bool:
    from stdnum import luhn

    return bool(re.fullmatch(r"[12]\d{9}", number)) and luhn.is_valid(f"80840{number}")


def _luhn(number: str) -> bool:
    """Luhn (1960) for 13 digits or more; of shorter ones one in ten is right by chance."""
    from stdnum import luhn

    return bool(re.fullmatch(r"\d{13,19}", number)) and luhn.is_valid(number)


def _iban(number: str) -> bool:
    from stdnum import iban

    return iban.is_valid(number, check_country=False)


def _vin(number: str) -> bool:
    """The vehicle identification number of ISO 3779, with the check digit of North America."""
    if not re.fullmatch(r"[A-HJ-NPR-Z0-9]{17}", number):
        return False
    total = sum(
        weight * (int(char) if char in digits else _VIN_VALUES[char])
        for char, weight in zip(number, _VIN_WEIGHTS, strict=True)
    )
    return number[8] == "0123456789X"[total % 11]


def _spanish_social_security(number: str) -> bool:
    return bool(re.fullmatch(r"\d{12}", number)) and int(number[:10]) % 97 == int(number[10:])


_OWN_RULES: dict[str, Callable[[str], bool]] = {
    "npi": _npi,
    "luhn": _luhn,
    "iban": _iban,
    "vin": _vin,
    "spanish social security": _spanish_social_security,
}
