"""One pass finds what looking for each way of writing each text finds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.consistency.findings import LIKELY, FindingKind
from shared.consistency.repeats import REPEAT_KINDS, RepeatFinder
from shared.language.occurrences import occurrences
from shared.language.variant_rules import Rule
from shared.language.variants import variants
from shared.model.i2b2_2014 import I2B2_2014
from shared.text.spelling import lowered_in_place
from tests.builders import document, exact_findings, layer, tagged_records

_IN_CASE = {Rule.INITIALS, Rule.LOGIN, Rule.ACRONYM}

_PIECES = (
    "[Kai Lee|PATIENT]; [Okafor,Ann B|DOCTOR]; [Mount Arden Hospital|HOSPITAL]; Kai; LEE; K. Lee; "
    "Kai\n  Lee; LEE,KAI; klee; KL; K.L.; Ann B. Okafor; okafor; MAH; mount arden hospital; ABO"
)
sources = st.lists(st.sampled_from(_PIECES.split("; ")), max_size=14).map("; ".join)


def places_one_after_the_other(source: str) -> set[tuple[int, int]]:
    text, record = document(source).text, layer(source)
    found: set[tuple[int, int]] = set()
    for tag in record.tags:
        tagged = tag.span.text_in(text)
        sought = [(tagged, Rule.SAME)] + [
            (each.text, each.rule) for each in variants(tagged, I2B2_2014.traits_of(tag.phi_type))
        ]
        for phrase, rule in sought:
            for hit in occurrences(phrase, text, ignore_case=rule not in _IN_CASE):
                found.add((hit.span.start, hit.span.end))
    return {
        place
        for place in found
        if not any(tag.start < place[1] and place[0] < tag.end for tag in record.tags)
    }


@given(sources)
def test_every_way_of_writing_is_found_in_one_pass(source: str) -> None:
    patient = tagged_records([document(source)], [layer(source)])
    finder = RepeatFinder(patient.texts.values(), REPEAT_KINDS)
    (record,) = patient.records
    found = {(each.span.start, each.span.end) for each in finder.candidates(record)}
    assert found == places_one_after_the_other(source)


def test_only_the_kinds_that_are_asked_for_are_sought() -> None:
    source = "[Kai Lee|PATIENT] Kai Lee; KAI LEE; Lee"
    patient = tagged_records([document(source)], [layer(source)])
    (record,) = patient.records
    for kind in (FindingKind.REPEAT, FindingKind.OTHER_CASE, FindingKind.NAME_PART):
        finder = RepeatFinder(patient.texts.values(), {kind})
        assert {each.kind for each in finder.candidates(record)} == {kind}


def test_folding_is_what_the_finder_compares_by() -> None:
    source = "[İzmir Clinic|HOSPITAL] İZMIR CLINIC"
    patient = tagged_records([document(source)], [layer(source)])
    (record,) = patient.records
    finder = RepeatFinder(patient.texts.values(), {FindingKind.OTHER_CASE})
    assert lowered_in_place("İZMIR CLINIC") == lowered_in_place("İzmir Clinic")
    assert [each.span.text_in(record.text) for each in finder.candidates(record)] == [
        "İZMIR CLINIC"
    ]


@given(sources, st.booleans())
def test_what_is_faint_is_left_out_and_nothing_else(source: str, any_case: bool) -> None:
    text = source.lower() if any_case else source
    patient = tagged_records([document(f"{source}; {text}")], [layer(source)])
    (record,) = patient.records
    every, sure = (
        RepeatFinder(patient.texts.values(), REPEAT_KINDS, least).scan(record)
        for least in (0.0, LIKELY)
    )
    likely = [each for each in every.candidates if each.certainty >= LIKELY]
    assert likely == [each for each in sure.candidates if each.certainty >= LIKELY]
    assert sure.partly_tagged == every.partly_tagged


def test_a_small_word_of_which_a_part_is_tagged_is_told() -> None:
    source = "Dr. [Marlow|DOCTOR] saw mar[low|DOCTOR] and marlow"
    patient = tagged_records([document(source)], [layer(source)])
    (record,) = patient.records
    scan = RepeatFinder(patient.texts.values(), REPEAT_KINDS, LIKELY).scan(record)
    partly = [span.text_in(record.text) for span, _ in scan.partly_tagged]
    assert partly == ["marlow"]
    assert not scan.candidates


@pytest.mark.parametrize(
    ("said", "is_likely"),
    [("[Z|DOCTOR] saw him. Z n Whipple.", False), ("[Z|DOCTOR] saw him. Later Dr. Z came.", True)],
)
def test_a_letter_alone_is_a_name_where_something_says_so(said: str, is_likely: bool) -> None:
    (found,) = exact_findings([document(said)], [layer(said)])
    assert (found.certainty >= LIKELY) is is_likely
