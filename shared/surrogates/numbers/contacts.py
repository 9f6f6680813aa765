"""Telephone numbers, addresses of mail, pages and machines: in the ranges that nobody has.

North American numbers get the exchange 555 and a line from 0100 to 0199, which are set aside for
fiction; those of other countries keep country code and length and become what the numbering plan of
their country (as the library phonenumbers has it) gives to nobody. Domains are `example.com` and
the like for those of `.com`, `.net` and `.org`, or lie below them; others end in `.example`,
`.test` or `.invalid` (RFC 2606, RFC 6761), with as many labels, for who learns from them; IP
addresses are of the blocks for documentation (RFC 5737, RFC 3849).
"""

import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import cache
from random import Random
from typing import TYPE_CHECKING

from shared.language.languages import Language
from shared.surrogates.drawing import draw_until
from shared.surrogates.mentions import PhiMention, Surrogate
from shared.text.spelling import in_plain_forms, match_case

if TYPE_CHECKING:
    from phonenumbers import PhoneNumber

ODD_PHONE = "holds letters that are no part of a telephone number"
PAGE = "a page: check that nothing in it tells whose it is"
NO_ADDRESS = "no address could be recognised here"

_NORTH_AMERICA = 1
_EXTENSION = r"(?i){extension_before}[\s.:]*\d+\s*$"
_LABELS = (
    "northmail postbrook inkwell harborlink sunpost bluemail mapletree openlake fairwind riverpost "
    "lightmail quietbay stonepost greenway firstpost silverlake hilltop clearpost newfield "
    "eastgate bayline oakpost farview meadowlink"
).split()
_RESERVED = frozenset({"com", "net", "org"})
"""The top-level domains below which `example` is set aside."""
_RESERVED_TOPS = ("example", "example", "test", "invalid")
"""The top-level domains below which there is nothing (RFC 6761), that of examples the oftenest."""
_BLOCKS = ("192.0.2", "198.51.100", "203.0.113")
_CALLING = re.compile(r"\s*(?:\+|00)\s?\d{1,3}(?=\D)")
"""A country's code at the start of a number: `+49` of `+49 (0)89`."""
_SHORTEST = 7
"""Fewer digits are no number of a plan."""
_SERVICE = re.compile(r"[2-9](?!11)[0-8]\d")


class Phones:
    """Telephone numbers of one patient: the same line the same surrogate, with area code or not."""

    def __init__(self, texts: Iterable[str], randomness: Random, language: Language) -> None:
        self._randomness = randomness
        self._country = language.country
        self._extension = language.expression(_EXTENSION)
        self._words = _phone_words(language)
        self._texts = {phone_digits(main): main for main in map(self._main, texts)}
        self._all = sorted(self._texts, key=lambda each: (-len(each), each))
        self._authentic = frozenset(self._all)
        self._drawn: dict[str, str] = {}
        self._lines: dict[str, str] = {}

    def _main(self, text: str) -> str:
        """The text without the extension behind a number."""
        found = self._extension.search(text)
        return text[: found.start()] if found and phone_digits(text[: found.start()]) else text

    def surrogate(self, mention: PhiMention) -> Surrogate:
        text = mention.text
        words = re.findall(r"[^\W\d_]+", text.lower())
        odd = [word for word in words if word not in self._words]
        if not any(char.isdigit() for char in text):
            return Surrogate(mention.placeholder, "phone unread", (ODD_PHONE,))
        main = self._main(text)
        extension = phone_digits(text[len(main) :])
        new = self._number(phone_digits(main))
        if extension:
            new += self._number(extension)
        new_text = _fill_digits(text, new)
        if odd:
            new_text = re.sub(r"[^\W\d_]+", lambda found: self._word(found[0]), new_text)
        return Surrogate(new_text, f"phone {new}", (ODD_PHONE,) if odd else ())

    def _word(self, word: str) -> str:
        if word.lower() in self._words:
            return word
        letters = "".join(self._randomness.choice("abcdefghijklmnopqrstuvwxyz") for _ in word)
        return match_case(letters, word)

    def _number(self, digits: str) -> str:
        if digits not in self._drawn:
            taken = {*self._authentic, *self._drawn.values()}
            new = draw_until(lambda: self._draw(digits), lambda new: new not in taken)
            self._drawn[digits] = new
        return self._drawn[digits]

    def _draw(self, digits: str) -> str:
        whole = next(
            (each for each in self._all if len(each) > len(digits) >= 4 and each.endswith(digits)),
            None,
        )
        if whole is not None:
            return self._number(whole)[-len(digits) :]
        abroad = self._assigned(digits)
        if abroad is not None and abroad.country_code != _NORTH_AMERICA:
            return self._unassigned(digits, abroad)
        count = len(digits)
        if self._is_north_american:
            if count == 7:
                return self._line(digits)
            if count == 10 or (count == 11 and digits[0] == "1"):
                return digits[:-10] + self._area() + self._line(digits)
        return self._other(digits)

    @property
    def _is_north_american(self) -> bool:
        from phonenumbers import country_code_for_region

        code = country_code_for_region(self._country) if self._country else _NORTH_AMERICA
        return code == _NORTH_AMERICA

    def _other(self, digits: str) -> str:
        """Other digits behind the zeros and the country code, of which no plan has such."""
        text = self._texts.get(digits, digits)
        called = _CALLING.match(text)
        code = phone_digits(called[0]) if called else ""
        kept = len(code) + len(digits[len(code) :]) - len(digits[len(code) :].lstrip("0"))
        kept = min(kept, len(digits) - 1)
        return draw_until(
            lambda: (
                f"{digits[:kept]}{1 + self._randomness.randrange(9)}"
                + self._digits(len(digits) - kept - 1)
            ),
            lambda new: len(new) < _SHORTEST or not self._is_given_out(_fill_digits(text, new)),
        )

    def _is_given_out(self, text: str) -> bool:
        """Whether a plan has the number, as it is written or read as one with a country code."""
        from phonenumbers import NumberParseException, is_valid_number, parse

        for each in (text, f"+{phone_digits(text)}"):
            with suppress(NumberParseException):
                if is_valid_number(parse(each, self._country or None)):
                    return True
        return False

    def _assigned(self, digits: str) -> "PhoneNumber | None":
        """The number of some country that this is, None where no numbering plan has it."""
        from phonenumbers import NumberParseException, is_valid_number, parse

        for text in (self._texts.get(digits, digits), f"+{digits}"):
            try:
                number = parse(text, self._country or None)
            except NumberParseException:
                continue
            if is_valid_number(number) and digits.endswith(str(number.national_number)):
                return number
        return None

    def _unassigned(self, digits: str, number: "PhoneNumber") -> str:
        """Other digits behind the country or trunk code, of which no numbering plan has such."""
        from phonenumbers import PhoneNumber, is_valid_number

        count = len(str(number.national_number))

        def is_free(new: str) -> bool:
            if is_valid_number(PhoneNumber(number.country_code, int(new[-count:]))):
                return False
            return not self._is_given_out(_fill_digits(self._texts.get(digits, digits), new))

        return draw_until(
            lambda: (
                f"{digits[:-count]}{1 + self._randomness.randrange(9)}{self._digits(count - 1)}"
            ),
            is_free,
        )

    def _line(self, digits: str) -> str:
        """`55501` and two digits; the same where the last seven digits are the same."""
        last = digits[-7:]
        if last not in self._lines or self._lines[last] in self._authentic:
            taken = set(self._lines.values())
            free = [f"55501{n:02}" for n in range(100) if f"55501{n:02}" not in taken]
            self._lines[last] = self._randomness.choice(free or [f"555{self._digits(4)}"])
        return self._lines[last]

    def _area(self) -> str:
        while True:
            area = self._digits(3)
            if _SERVICE.fullmatch(area) and area != "555":
                return area

    def _digits(self, count: int) -> str:
        return "".join(str(self._randomness.randrange(10)) for _ in range(count))


class Addresses:
    """Mail, page and machine addresses of one patient."""

    def __init__(self, letters: Callable[[str], str], randomness: Random) -> None:
        """`letters` replaces names and initials that are run together."""
        self._letters = letters
        self._randomness = randomness
        self._domains: dict[str, str] = {}
        self._mails: dict[str, str] = {}
        self._machines: dict[str, str] = {}

    def mail(self, mention: PhiMention) -> Surrogate:
        box, at, domain = mention.text.rpartition("@")
        if not at:
            return Surrogate(mention.placeholder, "mail unread", (NO_ADDRESS,))
        key = mention.text.lower()
        if key not in self._mails:
            self._mails[key] = f"{self._box(box)}@{self.domain(domain)}"
        new = match_case(self._mails[key], mention.text)
        return Surrogate(new, f"mail {new.lower()}")

    def page(self, mention: PhiMention) -> Surrogate:
        """The same start, another domain, and no path."""
        found = re.match(r"((?:[a-z]+:/*)?(?:www\d?\.)?)([^/\s?#]*)(.*)", mention.text, re.I | re.S)
        if found is None or "." not in found[2]:
            return Surrogate(mention.placeholder, "page unread", (PAGE,))
        path = "/page" if len(found[3].strip("/")) else found[3]
        new = f"{found[1]}{self.domain(found[2])}{path}"
        return Surrogate(new, f"page {new}", (PAGE,))

    def machine(self, mention: PhiMention) -> Surrogate:
        if mention.text not in self._machines:
            self._machines[mention.text] = self._machine(mention.text)
        new = self._machines[mention.text]
        return Surrogate(new, f"machine {new}")

    def domain(self, domain: str) -> str:
        key = domain.lower().strip(".")
        if key not in self._domains:
            taken = {label for each in self._domains.values() for label in each.split(".")}
            free = [label for label in _LABELS if label not in taken and label not in key]
            self._domains[key] = self._in_form(key, free or ["mail"])
        return self._domains[key]

    def _in_form(self, key: str, labels: Sequence[str]) -> str:
        """A domain that nobody has, of as many labels as the authentic one has, if it can be."""
        *front, top = key.split(".")
        if top in _RESERVED:
            whole = f"example.{top}"
            taken = len(front) > 1 or whole in self._domains.values() or key == whole
            return f"{self._randomness.choice(labels)}.{whole}" if taken else whole
        wanted = min(max(1, len(front)), len(labels))
        drawn = self._randomness.sample(labels, wanted)
        return ".".join((*drawn, self._randomness.choice(_RESERVED_TOPS)))

    def _box(self, box: str) -> str:
        """The part before the @, its runs of letters replaced and its digits drawn anew."""
        pieces = re.findall(r"[^\W\d_]+|\d|[\W_]", box)
        return draw_until(
            lambda: "".join(self._piece(each) for each in pieces),
            lambda new: new.lower() != box.lower(),
        )

    def _piece(self, piece: str) -> str:
        if piece.isdigit():
            return str(self._randomness.randrange(10))
        return match_case(self._letters(piece), piece) if piece.isalpha() else piece

    def _machine(self, text: str) -> str:
        if ":" in text:
            return "2001:db8::" + format(self._randomness.randrange(1, 0xFFFF), "x")
        if text.count(".") != 3:
            return re.sub(r"[^\W\d_]", "x", re.sub(r"\d", "0", text))
        taken = {text, *self._machines.values()}
        draw = self._randomness
        return draw_until(
            lambda: f"{draw.choice(_BLOCKS)}.{draw.randint(1, 254)}", lambda new: new not in taken
        )


@cache
def _phone_words(language: Language) -> frozenset[str]:
    numbers = language.numbers
    labels = numbers.phone_labels + numbers.fax_labels + numbers.pager_labels
    return frozenset((*labels, *numbers.phone_words))


def phone_digits(text: str) -> str:
    return "".join(filter(str.isdigit, in_plain_forms(text)))


def _fill_digits(text: str, digits: str) -> str:
    rest = iter(digits)
    return "".join(next(rest, "0") if char.isdigit() else char for char in text)
