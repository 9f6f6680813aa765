"""Fabricated patients, of whom everything is known, as the judge of their surrogates."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date, timedelta
from functools import cache
from random import Random

import pytest

from shared.language.languages import language
from shared.model import Span
from shared.model.i2b2_2014 import I2B2_2014
from shared.surrogates.leak_check import Leak, LeakRules, find_leaks
from shared.surrogates.mentions import SurrogatePatient
from shared.surrogates.numbers.contacts import PAGE
from shared.surrogates.ordinary_words import is_eponym, ordinary_words
from shared.surrogates.places.other_details import DETAIL
from shared.surrogates.replacement import replace_patient
from shared.surrogates.surrogate_kinds import SurrogateKind, SurrogateSettings, kinds_of
from shared.synthetic.patients import FabricatedPatient, fabricate
from tests.builders import exact_findings

PATIENTS = 40
SETTINGS = SurrogateSettings(kinds_of(I2B2_2014), language("en"))
Pair = tuple[FabricatedPatient, SurrogatePatient]


@cache
def pairs() -> list[Pair]:
    return [
        (each, replace_patient(each.patient, each.gold, SETTINGS, Random(n)))
        for n, each in enumerate(fabricate(PATIENTS, 11))
    ]


@cache
def ordinary() -> frozenset[str]:
    return ordinary_words(
        [(each, one.gold[each.record_id]) for each in one.patient.documents] for one, _ in pairs()
    )


def cleared(one: FabricatedPatient) -> set[tuple[str, Span]]:
    """Words that a person would clear: names of the patient that are diseases or tools as well."""
    findings = exact_findings(one.patient.documents, one.gold.values())
    return {(each.record_id, each.span) for each in findings}


def by_key(new: SurrogatePatient) -> dict[tuple[str, str], str]:
    return {(each.record_id, each.tag.id): each.surrogate for each in new.replacements}


def full_dates(one: FabricatedPatient, new: SurrogatePatient) -> Iterator[tuple[date, str, str]]:
    """Every full date: the day it means, as written, its surrogate."""
    for each in new.replacements:
        days = one.dates.get((each.record_id, each.tag.id))
        if days is not None and days.full:
            yield days.first, each.original, each.surrogate


def numbers_of(text: str) -> list[int]:
    return [int(found) for found in re.findall(r"\d+", text)]


def test_no_authentic_phi_is_left() -> None:
    rules = LeakRules(language("en"), ordinary())
    for one, new in pairs():
        leaks = find_leaks(new, one.gold, replace(rules, cleared=frozenset(cleared(one))))
        assert [each for each in leaks if not is_disease_of_that_name(new, each)] == []


def is_disease_of_that_name(new: SurrogatePatient, leak: Leak) -> bool:
    """True for `Barrett's esophagus` of a patient of that name, which a person has to clear."""
    texts = {each.record_id: each.text for each in new.documents}
    text, span = texts[leak.record_id], leak.span
    return span is not None and is_eponym(text, span.start, span.end, language("en"))


def test_no_authentic_name_or_number_is_left_by_plain_search() -> None:
    """Without the leak check: names and numbers searched for as the generator knows them."""
    for _, new in pairs():
        text = "\n".join(each.text for each in new.documents)
        for each in new.replacements:
            if each.kind in {
                SurrogateKind.NUMBER,
                SurrogateKind.SSN,
                SurrogateKind.EMAIL,
                SurrogateKind.USERNAME,
                SurrogateKind.STREET,
            }:
                assert not re.search(rf"(?<!\w){re.escape(each.original)}(?!\w)", text) or (
                    len(each.original) < 6
                )
            if each.kind is SurrogateKind.PERSON and " " in each.original:
                assert each.original.lower() not in text.lower()


def test_every_interval_between_full_dates_is_preserved() -> None:
    for one, new in pairs():
        shifts: set[timedelta] = set()
        latest = max((day for day, _, _ in full_dates(one, new)), default=date.max)
        for day, _, surrogate in full_dates(one, new):
            old = (latest - day).days > 90 * 365
            if re.fullmatch(r"\d{4}-\d\d-\d\d", surrogate) and not old:
                shifts.add(date.fromisoformat(surrogate) - day)
        if not shifts:
            continue
        assert len(shifts) == 1
        by = shifts.pop()
        for day, original, surrogate in full_dates(one, new):
            if (latest - day).days > 90 * 365:
                continue  # what tells an age above 90 is moved nearer
            moved = day + by
            want = {moved.year, moved.day}
            found = set(numbers_of(surrogate))
            assert moved.day in found
            assert moved.year in found or moved.year % 100 in found
            assert len(numbers_of(original)) == len(numbers_of(surrogate)), want


@pytest.mark.parametrize("what", ["people", "places", "numbers"])
def test_what_is_written_alike_of_one_entity_gets_one_surrogate(what: str) -> None:
    for one, new in pairs():
        found = by_key(new)
        originals = {(e.record_id, e.tag.id): e.original for e in new.replacements}
        seen: dict[tuple[str, str], set[str]] = defaultdict(set)
        for key, entity in getattr(one, what).items():
            if not entity.startswith("zip/"):
                seen[entity, " ".join(originals[key].split()).lower()].add(
                    " ".join(found[key].split()).lower()
                )
        assert all(len(each) == 1 for each in seen.values())


@pytest.mark.parametrize("what", ["people", "places", "numbers"])
def test_two_texts_never_become_one(what: str) -> None:
    """Departments do: they are named by what they do."""
    for one, new in pairs():
        found = by_key(new)
        tags = {(e.record_id, e.tag.id): e for e in new.replacements}
        seen: dict[tuple[str, str], set[str]] = defaultdict(set)
        for key in getattr(one, what):
            if tags[key].kind is not SurrogateKind.DEPARTMENT:
                name = tags[key].tag.phi_type.name
                seen[name, found[key].lower()].add(_plain(tags[key].original))
        assert all(len(each) == 1 for each in seen.values())


def _plain(text: str) -> str:
    from shared.text.spelling import match_key

    return match_key(text)


def test_the_family_name_of_a_person_is_one_in_all_forms() -> None:
    for one, new in pairs():
        names: dict[str, list[str]] = defaultdict(list)
        for each in new.replacements:
            entity = one.people.get((each.record_id, each.tag.id))
            if (
                entity
                and each.kind is SurrogateKind.PERSON
                and re.fullmatch(r"[A-Z][a-z]+ [A-Z][a-z]+", each.original)
            ):
                names[entity].append(each.surrogate)
        for each in names.values():
            right = max(set(each), key=each.count)
            assert all(_close(right, other) for other in each)


def _close(one: str, other: str) -> bool:
    return sum(a != b for a, b in zip(one.split(), other.split(), strict=True)) <= 1


def test_the_form_is_kept_in_nearly_all_tags() -> None:
    kept = total = 0
    for _, new in pairs():
        for each in new.replacements:
            if each.kind in {SurrogateKind.OTHER, SurrogateKind.URL, SurrogateKind.DEPARTMENT}:
                continue
            total += 1
            kept += shape(each.original) == shape(each.surrogate)
    assert kept / total >= 0.98


def shape(text: str) -> tuple[object, ...]:
    """Words as capitals, small or as names, initials as such; numbers by their digits but two."""
    month = r"(?i)\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
    text = re.sub(r"(?<=\d)(?:st|nd|rd|th)\b", "th", re.sub(month, "Month", text))
    pieces: list[object] = []
    for found in re.finditer(r"[^\W\d_]+|\d+|[^\w\s]", text):
        piece = found[0]
        if piece.isdigit():
            pieces.append("9" * max(2, len(piece)))
        elif piece.isalpha():
            pieces.append(len(piece) if len(piece) < 2 else "AA" if piece.isupper() else
                          "a" if piece.islower() else "Aa")  # fmt: skip
        else:
            pieces.append(piece)
    return tuple(_once(pieces))


def _once(pieces: Iterable[object]) -> Iterator[object]:
    """Leave out a word after its like: names of places and jobs have one word or more."""
    before: object = None
    for piece in pieces:
        if piece != before or piece not in {"AA", "a", "Aa", "9"}:
            yield piece
        before = piece


def test_few_tags_are_for_a_person_to_look_at() -> None:
    every = [each for _, new in pairs() for each in new.replacements]
    looks = [each for each in every if set(each.reasons) - {DETAIL, PAGE}]
    assert len(looks) / len(every) <= 0.02


def test_a_second_round_changes_names_again_and_leaks_nothing_of_either() -> None:
    for one, new in pairs()[:15]:
        again = replace_patient(new.patient, new.layers, SETTINGS, Random(99))
        spared = cleared(one)
        rules = LeakRules(language("en"), ordinary(), frozenset(_moved(new, spared)))
        assert find_leaks(again, new.layers, rules) == ()
        first = {e.original.lower() for e in new.replacements if e.kind is SurrogateKind.PERSON}
        third = {e.surrogate.lower() for e in again.replacements if e.kind is SurrogateKind.PERSON}
        assert not {name for name in first & third if len(name) > 4}


def _moved(new: SurrogatePatient, places: set[tuple[str, Span]]) -> set[tuple[str, Span]]:
    return {
        (record, Span(new.spliced[record].to_new(span.start),
                      new.spliced[record].to_new(span.start) + len(span)))
        for record, span in places
    }  # fmt: skip
