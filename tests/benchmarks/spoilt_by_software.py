"""Still more ways to spoil a gold standard: hands that are tired, and software that is odd."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import date
from html.entities import codepoint2name
from urllib.parse import quote

from shared.language.name_lists import name_lists
from shared.model import Layer, Span, Tag
from shared.model.phi_traits import EntityKind, PersonRole
from tests.benchmarks.spoilt_gold import (
    DIGITS,
    NAMED,
    NothingToSpoilError,
    Spoiler,
    Spoilt,
    told_again,
)
from tests.benchmarks.spoilt_retold import again, days_of, family_name, given_and_family

_AND = {"es": "y", "de": "und"}
_TITLE = {"es": "Dr", "de": "Frau"}
_EXTENSION = {"es": "ext.", "de": "Durchwahl"}
_ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")
_FIRST_OF_SHEETS = date(1899, 12, 30)
_WIDTH = 8
_HOSTS = {"es": "clinicavaldemora.example", "de": "klinik-rosenau.example"}


def _narrow(spoiler: Spoiler) -> Spoilt:
    """A tag that begins one letter too late and ends one too early."""
    for at, tag, text in spoiler.tags(*NAMED, *DIGITS, EntityKind.DATE):
        if len(text) > 4 and text[:2].isalnum() and text[-2:].isalnum():
            kept = Span(tag.start + 1, tag.end - 1)
            return spoiler.cut("narrow at both ends", at, tag, kept)
    raise NothingToSpoilError


def _counted_otherwise(spoiler: Spoiler) -> Spoilt:
    """All tags of a record as far to the right as there are line ends before them."""
    for at, tag, text in spoiler.tags(EntityKind.PERSON):
        document, layer = spoiler.records[at]
        moved = [
            replace(each, span=each.span.shifted(by))
            for each in layer.tags
            if each.end + (by := document.text.count("\n", 0, each.start)) <= len(document.text)
        ]
        if not any(tag.span.overlaps(each.span) for each in moved) and text[0].isalpha():
            return spoiler.spoilt("line ends counted twice", at, tag.span, moved)
    raise NothingToSpoilError


def _double_name(spoiler: Spoiler) -> Spoilt:
    """A hyphenated family name of which the half that stands nowhere else is not tagged."""
    names = name_lists(spoiler.language).family.every_common
    for at, tag, text in spoiler.tags(EntityKind.PERSON):
        other = spoiler.rng.choice(names)
        if family_name(text) and text.endswith(family_name(text)) and other not in text:
            new = f"{text}-{other}"
            kept, left = Span(0, len(text)), Span(len(text) + 1, len(new))
            return spoiler.rewritten("half a double name", at, tag, new, kept, left)
    raise NothingToSpoilError


def _second_line(spoiler: Spoiler) -> Spoilt:
    """A name over a line end of which one line is tagged."""
    for at, tag, text in spoiler.tags(EntityKind.PERSON):
        found = re.fullmatch(r"([^\W\d_]{3,}) ([^\W\d_]{3,})", text)
        if found:
            new = f"{found[1]}\n{found[2]}"
            parts = Span(*found.span(1)), Span(*found.span(2))
            kept, left = spoiler.rng.sample(parts, 2)
            return spoiler.rewritten("one line of a name", at, tag, new, kept, left)
    raise NothingToSpoilError


def _two_in_one(spoiler: Spoiler) -> Spoilt:
    """Two people in one tag."""
    people = given_and_family(spoiler)
    for at, tag, text in spoiler.tags(EntityKind.PERSON):
        for first, last in people:
            if first not in text and last not in text and "\n" not in text:
                new = f"{text} {_AND.get(spoiler.language.code, 'and')} {first} {last}"
                whole = Span(0, len(new))
                return spoiler.rewritten("two in one tag", at, tag, new, whole, whole)
    raise NothingToSpoilError


def _half_age(spoiler: Spoiler) -> Spoilt:
    """The first digit of an age."""
    for at, tag, text in spoiler.tags(EntityKind.AGE):
        if re.match(r"\d\d(?!\d)", text):
            return spoiler.cut("one digit of an age", at, tag, Span(tag.start, tag.start + 1))
    raise NothingToSpoilError


def _prefix(spoiler: Spoiler) -> Spoilt:
    """A number without the letters that belong to it."""
    for at, tag, text in spoiler.tags(EntityKind.RECORD_NUMBER, EntityKind.NUMBER):
        if text.isdigit():
            kept, left = Span(2, 2 + len(text)), Span(0, 2)
            return spoiler.rewritten("number without prefix", at, tag, f"HX{text}", kept, left)
    raise NothingToSpoilError


def _extension(spoiler: Spoiler) -> Spoilt:
    """A telephone number without its extension."""
    for at, tag, text in spoiler.tags(EntityKind.PHONE):
        word = _EXTENSION.get(spoiler.language.code, "ext.")
        new = f"{text} {word} {spoiler.rng.randint(2111, 9888)}"
        kept, left = Span(0, len(text)), Span(len(new) - 4, len(new))
        return spoiler.rewritten("phone without extension", at, tag, new, kept, left)
    raise NothingToSpoilError


def _half_mail(spoiler: Spoiler) -> Spoilt:
    """A mail address tagged up to its sign."""
    host = _HOSTS.get(spoiler.language.code, "rosehill-clinic.example")
    for first, last in given_and_family(spoiler):
        box = f"{first[0]}{last}".lower()
        mail = spoiler.type_of(EntityKind.EMAIL, EntityKind.PERSON)
        for at, _, _ in spoiler.tags(EntityKind.PERSON):
            spoilt = told_again(spoiler, "mail up to its sign", at, f"{box}@{host}")
            if spoilt:
                return _with_tag(spoilt, Tag(Span(0, len(box)), mail))
    raise NothingToSpoilError


def _weekday(spoiler: Spoiler) -> Spoilt:
    """A date without the weekday before it."""
    names = spoiler.language.dates.weekdays
    for at, tag, text in spoiler.tags(EntityKind.DATE):
        days = list(days_of(spoiler, [text]))
        if not days or not text[0].isdigit():
            continue
        day = days[0]
        word = names[date(day.year or 1, day.month or 1, day.day or 1).weekday()]
        new = f"{word}, {text}"
        kept, left = Span(len(word) + 2, len(new)), Span(0, len(word))
        return spoiler.rewritten("date without weekday", at, tag, new, kept, left)
    raise NothingToSpoilError


def _with_tag(spoilt: Spoilt, tag: Tag) -> Spoilt:
    """The records with one tag more, that lies in what was left; the rest of it is left."""
    whole = spoilt.span
    moved = replace(tag, span=tag.span.shifted(whole.start))
    records = [
        (document, Layer.of(layer.record_id, layer.annotator, [*layer.tags, moved]))
        if document.record_id == spoilt.record_id
        else (document, layer)
        for document, layer in spoilt.records
    ]
    return replace(spoilt, records=records, span=Span(moved.end + 1, whole.end))


def _families(spoiler: Spoiler, *roles: PersonRole) -> Iterator[str]:
    return (last for _, last in given_and_family(spoiler, *roles))


def _of_names(sort: str, written: Callable[[str, str], str]) -> Callable[[Spoiler], Spoilt]:
    """A name once more, as that writes given and family name."""

    def spoilt(spoiler: Spoiler) -> Spoilt:
        names = (written(first, last) for first, last in given_and_family(spoiler))
        return again(spoiler, sort, names, EntityKind.PERSON)

    return spoilt


def _of_marked_names(sort: str, written: Callable[[str], str]) -> Callable[[Spoiler], Spoilt]:
    """A family name with letters beyond ASCII once more, as that writes it."""

    def spoilt(spoiler: Spoiler) -> Spoilt:
        real = {last for last in _families(spoiler) if not last.isascii()}
        return again(spoiler, sort, map(written, sorted(real)), EntityKind.PERSON)

    return spoilt


def _of_days(sort: str, written: Callable[[date], str]) -> Callable[[Spoiler], Spoilt]:
    """A date once more, as that writes it."""

    def spoilt(spoiler: Spoiler) -> Spoilt:
        days = (date(each.year or 1, each.month or 1, each.day or 1) for each in days_of(spoiler))
        return again(spoiler, sort, map(written, days), EntityKind.DATE)

    return spoilt


def _read_as_latin(name: str) -> str:
    """`GarcÃ­a`, as a program that reads UTF-8 in an older encoding."""
    return name.encode().decode("cp1252", "replace")


def _read_as_latin_in_part(name: str) -> str:
    """`GarcÃa`, where what is no sign of the older encoding was left out as well."""
    return re.sub(r"[\x80-\xa0\xad]", "", name.encode().decode("latin-1"))


def _as_entities(name: str) -> str:
    known = codepoint2name
    return "".join(f"&{known[ord(each)]};" if ord(each) in known else each for each in name)


def _title_glued(spoiler: Spoiler) -> Spoilt:
    title = _TITLE.get(spoiler.language.code, "Dr")
    names = (f"{title}{last}" for last in _families(spoiler))
    return again(spoiler, "title glued to a name", names, EntityKind.PERSON)


def _of_many(spoiler: Spoiler) -> Spoilt:
    """`the Hawkinses`, `Bauers Mutter`."""
    names = (f"{last}s" for last in _families(spoiler) if not last.endswith(("s", "z", "x")))
    return again(spoiler, "name with an s", names, EntityKind.PERSON)


def _as_words(digits: str) -> str:
    return ".".join(digits)


def _of_numbers(sort: str, written: Callable[[str], str]) -> Callable[[Spoiler], Spoilt]:
    """The digits of a number once more, as that writes them."""

    def spoilt(spoiler: Spoiler) -> Spoilt:
        texts = ("".join(filter(str.isdigit, text)) for _, _, text in spoiler.tags(*DIGITS))
        numbers = (written(each) for each in texts if len(each) > 5)
        return again(spoiler, sort, _changed(numbers), *DIGITS)

    return spoilt


def _changed(texts: Iterable[str]) -> Iterator[str]:
    return (each for each in texts if each)


BY_SOFTWARE: dict[str, Callable[[Spoiler], Spoilt]] = {
    "narrow at both ends": _narrow,
    "line ends counted twice": _counted_otherwise,
    "half a double name": _double_name,
    "one line of a name": _second_line,
    "two in one tag": _two_in_one,
    "one digit of an age": _half_age,
    "number without prefix": _prefix,
    "phone without extension": _extension,
    "mail up to its sign": _half_mail,
    "date without weekday": _weekday,
    "title glued to a name": _title_glued,
    "name with an s": _of_many,
    "fields of a message": _of_names(
        "fields of a message", lambda first, last: f"{last}^{first}^^".upper()
    ),
    "names with underscores": _of_names(
        "names with underscores", lambda first, last: f"PAT_{last}_{first}_2".upper()
    ),
    "name and number glued": _of_names(
        "name and number glued", lambda first, last: f"{last}{first[0]}0042".upper()
    ),
    "cut by a field": _of_names(
        "cut by a field", lambda first, last: f"{last},{first}"[:_WIDTH].upper()
    ),
    "line end within a name": _of_names(
        "line end within a name", lambda first, last: f"{first} {last[:3]}\n{last[3:]}"
    ),
    "letters of a web page": _of_marked_names("letters of a web page", _as_entities),
    "letters in percent": _of_marked_names("letters in percent", quote),
    "read in another encoding": _of_marked_names("read in another encoding", _read_as_latin),
    "read in another encoding in part": _of_marked_names(
        "read in another encoding in part", _read_as_latin_in_part
    ),
    "letter lost": _of_marked_names("letter lost", lambda name: re.sub(r"[^\x00-\x7f]", "?", name)),
    "month in Roman numbers": _of_days(
        "month in Roman numbers", lambda day: f"{day.day}-{_ROMAN[day.month - 1]}-{day.year}"
    ),
    "date and time": _of_days("date and time", lambda day: f"{day.isoformat()}T07:45:00Z"),
    "date without century": _of_days(
        "date without century", lambda day: f"{day.day:02}{day.month:02}{day.year % 100:02}"
    ),
    "day of a sheet": _of_days("day of a sheet", lambda day: str((day - _FIRST_OF_SHEETS).days)),
    "digits with full stops": _of_numbers("digits with full stops", _as_words),
    "digits with underscores": _of_numbers(
        "digits with underscores", lambda digits: f"{digits[:3]}_{digits[3:]}"
    ),
    "zeros in front": _of_numbers("zeros in front", lambda digits: digits.zfill(12)),
    "number in a name": _of_numbers("number in a name", lambda digits: f"scan{digits}v2"),
    "seen as capitals": _of_numbers(
        "seen as capitals",
        lambda digits: digits.replace("5", "S").replace("8", "B") if set("58") & {*digits} else "",
    ),
}
