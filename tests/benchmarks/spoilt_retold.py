"""More ways to spoil a gold standard: what is tagged stands once more, written otherwise."""

import re
from collections.abc import Callable, Iterable
from dataclasses import replace

from shared.language.date_mentions import Day, read_date
from shared.model import Layer, Span
from shared.model.phi_traits import EntityKind, PersonRole
from tests.benchmarks.spoilt_gold import (
    DIGITS,
    NAMED,
    NothingToSpoilError,
    Spoiler,
    Spoilt,
    told_again,
)

_ILLNESS = {"es": "enfermedad de {name}", "de": "{name}-Erkrankung"}
_ON_THE_DAY = {"es": "el día {day}", "de": "am {day}."}
_LONGEST_LINE = 30
_SCRIPTS = (0x0660, 0x06F0, 0xFF10)
"""The zero of Arabic, Persian and wide digits."""


def _shifted(spoiler: Spoiler) -> Spoilt:
    """A tag one character too far to the right: its first is left, the one behind it taken."""
    for at, tag, text in spoiler.tags(*NAMED, *DIGITS, EntityKind.DATE):
        document, layer = spoiler.records[at]
        moved = Span(tag.start + 1, tag.end + 1)
        if moved.end > len(document.text) or not text[0].isalnum() or len(text) < 3:
            continue
        if any(moved.overlaps(each.span) for each in layer.tags if each is not tag):
            continue
        tags = [*spoiler.without(at, tag), replace(tag, span=moved)]
        return spoiler.spoilt("one too far", at, Span(tag.start, tag.start + 1), tags)
    raise NothingToSpoilError


def _header(spoiler: Spoiler) -> Spoilt:
    """A name in capitals in a first line of its own."""
    for at, _, text in spoiler.tags(EntityKind.PERSON):
        if len(text.split()) > 1 and "\n" not in text:
            return _in_front(spoiler, "header line", at, text.upper())
    raise NothingToSpoilError


def _in_front(spoiler: Spoiler, sort: str, at: int, words: str) -> Spoilt:
    document, layer = spoiler.records[at]
    front = f"== {words} ==\n"
    tags = [replace(each, span=each.span.shifted(len(front))) for each in layer.tags]
    return spoiler.spoilt(sort, at, Span(3, 3 + len(words)), tags, front + document.text)


def _table(spoiler: Spoiler) -> Spoilt:
    """Given and family name in two columns."""
    words = (
        text.split() for _, _, text in spoiler.tags(EntityKind.PERSON) if len(text.split()) > 1
    )
    return again(spoiler, "table", (" | ".join(each) for each in words), EntityKind.PERSON)


def _misspelt(spoiler: Spoiler) -> Spoilt:
    """A family name with two letters changed round."""
    names = (family_name(text) for _, _, text in spoiler.tags(EntityKind.PERSON))
    wrong = (
        f"{one[:2]}{one[3]}{one[2]}{one[4:]}" for one in names if len(one) > 5 and one[2] != one[3]
    )
    return again(spoiler, "misspelt", wrong, EntityKind.PERSON)


def family_name(text: str) -> str:
    words = re.findall(r"[^\W\d_]+", text)
    return words[-1] if words else ""


def given_and_family(spoiler: Spoiler, *roles: PersonRole) -> list[tuple[str, str]]:
    """Given and family name of people in words of letters; of all, where no role is given."""
    texts = (
        text.split()
        for _, tag, text in spoiler.tags(EntityKind.PERSON)
        if not roles or spoiler.schema.traits_of(tag.phi_type).role in roles
    )
    return [
        (each[0], each[-1])
        for each in texts
        if len(each) > 1 and all(one.isalpha() and len(one) > 3 for one in (each[0], each[-1]))
    ]


def _mail_box(spoiler: Spoiler) -> Spoilt:
    names = (f"{first}.{last}@post.example".lower() for first, last in given_and_family(spoiler))
    return again(spoiler, "in a mail address", names, EntityKind.PERSON)


def _web_address(spoiler: Spoiler) -> Spoilt:
    names = (f"www.{first}{last}.example/home".lower() for first, last in given_and_family(spoiler))
    return again(spoiler, "in a web address", names, EntityKind.PERSON)


def _file_name(spoiler: Spoiler) -> Spoilt:
    names = (f"{last}_{first}_scan.pdf".lower() for first, last in given_and_family(spoiler))
    return again(spoiler, "in a file name", names, EntityKind.PERSON)


def _login(spoiler: Spoiler) -> Spoilt:
    names = (f"{first[0]}{last}".lower() for first, last in given_and_family(spoiler))
    return again(spoiler, "glued to its initial", names, EntityKind.PERSON)


def _run_together(spoiler: Spoiler) -> Spoilt:
    names = (f"{first}{last}" for first, last in given_and_family(spoiler))
    return again(spoiler, "names run together", names, EntityKind.PERSON)


def _small(spoiler: Spoiler) -> Spoilt:
    names = (f"{first} {last}".lower() for first, last in given_and_family(spoiler))
    return again(spoiler, "small letters", names, EntityKind.PERSON)


def _spaced(spoiler: Spoiler) -> Spoilt:
    names = (" ".join(last.upper()) for _, last in given_and_family(spoiler))
    return again(spoiler, "letters apart", names, EntityKind.PERSON)


def _illness(spoiler: Spoiler) -> Spoilt:
    """A name where an illness could be called after somebody."""
    written = _ILLNESS.get(spoiler.language.code, "{name}'s disease")
    names = (written.format(name=last) for _, last in given_and_family(spoiler, PersonRole.PATIENT))
    return again(spoiler, "name like an eponym", names, EntityKind.PERSON)


def _hidden_sign(spoiler: Spoiler) -> Spoilt:
    names = (f"{last[:3]}\u200b{last[3:]}" for _, last in given_and_family(spoiler))
    return again(spoiler, "sign that nobody sees", names, EntityKind.PERSON)


def _initials(spoiler: Spoiler) -> Spoilt:
    names = (f"{first[0]}. {last[0]}." for first, last in given_and_family(spoiler))
    return again(spoiler, "initials alone", names, EntityKind.PERSON)


def _glued_date(spoiler: Spoiler) -> Spoilt:
    """A date of digits alone: `20710314`."""
    days = (f"{day.year}{day.month:02}{day.day:02}" for day in days_of(spoiler))
    return again(spoiler, "date of digits", days, EntityKind.DATE)


def days_of(spoiler: Spoiler, texts: Iterable[str] | None = None) -> Iterable[Day]:
    """The days that these texts can only mean; without any those of the dates in random order."""
    for text in texts or (text for _, _, text in spoiler.tags(EntityKind.DATE)):
        date = read_date(text, spoiler.language)
        if date is not None and date.has_day and len(date.readings) == 1:
            day = date.readings[0]
            if (day.year or 0) > 99:
                yield day


def _parted_date(spoiler: Spoiler) -> Spoilt:
    """A date with blanks round its signs: `14 . 3 . 2071`."""
    days = (f"{day.year} - {day.month:02} - {day.day:02}" for day in days_of(spoiler))
    return again(spoiler, "date with blanks", days, EntityKind.DATE)


def _day_of_month(spoiler: Spoiler) -> Spoilt:
    """`on the 3rd`, where the record has the date."""
    written = _ON_THE_DAY.get(spoiler.language.code, "on the {day}th")
    days = (written.format(day=day.day) for day in days_of(spoiler) if day.day and 3 < day.day < 21)
    return again(spoiler, "day of the month", days, EntityKind.DATE)


def _other_digits(spoiler: Spoiler) -> Spoilt:
    """A number or date in the digits of another script."""
    zero = spoiler.rng.choice(_SCRIPTS)
    table = {ord("0") + digit: zero + digit for digit in range(10)}
    texts = (text for _, _, text in spoiler.tags(*DIGITS, EntityKind.DATE))
    long = (text.translate(table) for text in texts if sum(map(str.isdigit, text)) > 5)
    return again(spoiler, "digits of another script", long, *DIGITS, EntityKind.DATE)


def _other_groups(spoiler: Spoiler) -> Spoilt:
    """The digits of a number in pairs."""
    texts = ("".join(filter(str.isdigit, text)) for _, _, text in spoiler.tags(*DIGITS))
    pairs = (" ".join(re.findall(r"\d\d?", each)) for each in texts if len(each) > 5)
    return again(spoiler, "digits in pairs", pairs, *DIGITS)


def _split_number(spoiler: Spoiler) -> Spoilt:
    """A number again, over a line end between its digits."""
    texts = (text for _, _, text in spoiler.tags(*DIGITS) if re.search(r"\d{5}", text))
    split = (re.sub(r"(\d{3})(\d\d)", r"\1-\n\2", text, count=1) for text in texts)
    return again(spoiler, "number over a line end", split, *DIGITS)


def _letters_for_digits(spoiler: Spoiler) -> Spoilt:
    """A number read by a machine: `O` for 0, `l` for 1."""
    texts = (text for _, _, text in spoiler.tags(*DIGITS) if re.search(r"\d{6}", text))
    read = (text.replace("0", "O").replace("1", "l") for text in texts)
    return again(spoiler, "letters for digits", read, *DIGITS)


def _of_parts(spoiler: Spoiler) -> Spoilt:
    """A German or foreign letter in two: `Mueller` for Müller, a mark of its own."""
    swapped = {
        "ä": "ae",
        "ö": "oe",
        "ü": "ue",
        "ß": "ss",
        "é": "e\u0301",
        "ñ": "n\u0303",
        "í": "i\u0301",
    }
    real = {family_name(text) for _, _, text in spoiler.tags(EntityKind.PERSON)}
    names = ("".join(swapped.get(char, char) for char in last) for last in sorted(real))
    return again(
        spoiler, "letters in two", (one for one in names if one not in real), EntityKind.PERSON
    )


def _swapped_layers(spoiler: Spoiler) -> Spoilt:
    """The tags of two records changed round; left is the first name that no tag touches."""
    if len(spoiler.records) < 2:
        raise NothingToSpoilError
    (one, first), (other, second) = spoiler.records[:2]
    there = [tag for tag in second.tags if tag.end <= len(one.text)]
    here = [tag for tag in first.tags if tag.end <= len(other.text)]
    records = [*spoiler.records]
    records[0] = (one, Layer.of(one.record_id, first.annotator, there))
    records[1] = (other, Layer.of(other.record_id, second.annotator, here))
    for at, tag, _ in spoiler.tags(EntityKind.PERSON):
        if at == 0 and not any(tag.span.overlaps(each.span) for each in there):
            return Spoilt("layers of two records", records, one.record_id, tag.span)
    raise NothingToSpoilError


def again(spoiler: Spoiler, sort: str, texts: Iterable[str], *kinds: EntityKind) -> Spoilt:
    """The first of the texts, in brackets at the end of a sentence of a record with such tags."""
    for words in texts:
        for at, _, _ in spoiler.tags(*kinds):
            spoilt = told_again(spoiler, sort, at, words)
            if spoilt:
                return spoilt
    raise NothingToSpoilError


RETOLD: dict[str, Callable[[Spoiler], Spoilt]] = {
    "one too far": _shifted,
    "header line": _header,
    "table": _table,
    "misspelt": _misspelt,
    "in a mail address": _mail_box,
    "in a web address": _web_address,
    "in a file name": _file_name,
    "glued to its initial": _login,
    "names run together": _run_together,
    "small letters": _small,
    "letters apart": _spaced,
    "name like an eponym": _illness,
    "sign that nobody sees": _hidden_sign,
    "initials alone": _initials,
    "date of digits": _glued_date,
    "date with blanks": _parted_date,
    "day of the month": _day_of_month,
    "digits of another script": _other_digits,
    "digits in pairs": _other_groups,
    "number over a line end": _split_number,
    "letters for digits": _letters_for_digits,
    "letters in two": _of_parts,
    "layers of two records": _swapped_layers,
}
