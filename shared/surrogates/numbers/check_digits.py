"""Check digits: where the authentic number has a right one, its surrogate gets a right one too."""

import re
from collections.abc import Callable
from string import ascii_uppercase, digits

_DNI_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE"
_VIN_VALUES = dict(zip("ABCDEFGHJKLMNPRSTUVWXYZ", map(int, "12345678123457923456789"), strict=True))
_VIN_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)


def with_check(old: str, new: str) -> str:
    """Return `new` with a right check digit or letter where `old` has one of a known rule.

    Both are letters and digits only, in capitals, of one length. The rules: Luhn for the American
    NPI and for 13 digits or more, the vehicle identification number (ISO 3779), the Spanish DNI,
    NIE and social security number, and the IBAN (ISO 13616). Where a rule says how a number
    begins (1 or 2, X to Z), the first character stays.
    """
    for right in (_npi, _luhn, _vin, _dni, _social_security, _iban):
        if old and right(old) == old:
            return right(new) or right(old[0] + new[1:]) or new
    return new


def luhn_sum(number: str) -> int:
    """The sum of Luhn (1960), 0 modulo 10 where the number is right."""
    doubled = [int(char) * (2 if place % 2 else 1) for place, char in enumerate(number[::-1])]
    return sum(value // 10 + value % 10 for value in doubled)


def _last_by(number: str, prefix: str) -> str:
    return number[:-1] + str(-luhn_sum(f"{prefix}{number[:-1]}0") % 10)


def _npi(number: str) -> str:
    if not re.fullmatch(r"[12]\d{9}", number):
        return ""
    return _last_by(number, "80840")


def _luhn(number: str) -> str:
    return _last_by(number, "") if re.fullmatch(r"\d{13,19}", number) else ""


def _vin(number: str) -> str:
    if not re.fullmatch(r"[A-HJ-NPR-Z0-9]{17}", number):
        return ""
    total = sum(
        weight * (int(char) if char in digits else _VIN_VALUES[char])
        for char, weight in zip(number, _VIN_WEIGHTS, strict=True)
    )
    return number[:8] + "0123456789X"[total % 11] + number[9:]


def _dni(number: str) -> str:
    if not re.fullmatch(r"(?:\d{8}|[XYZ]\d{7})[A-Z]", number):
        return ""
    plain = number[:-1].translate(str.maketrans("XYZ", "012"))
    return number[:-1] + _DNI_LETTERS[int(plain) % 23]


def _social_security(number: str) -> str:
    if not re.fullmatch(r"\d{12}", number):
        return ""
    return number[:10] + f"{int(number[:10]) % 97:02}"


def _iban(number: str) -> str:
    if not re.fullmatch(r"[A-Z]{2}\d{2}[A-Z0-9]{11,30}", number):
        return ""
    value: Callable[[str], str] = lambda char: str((digits + ascii_uppercase).index(char))  # noqa: E731
    rest = int("".join(value(char) for char in number[4:] + number[:2] + "00"))
    return number[:2] + f"{98 - rest % 97:02}" + number[4:]
