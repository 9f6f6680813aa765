"""Text tagged in one place and not in another."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.consistency.findings import Finding, FindingLocation
from shared.language.occurrences import is_whole_token, phrase_pattern
from shared.model import Document, Layer, PhiType, Span, Tag
from shared.synthetic import fabricate
from shared.synthetic.gold_gaps import remove_repeats
from tests.builders import exact_findings

PATIENT = PhiType("NAME", "PATIENT")
DOCTOR = PhiType("NAME", "DOCTOR")
DATE = PhiType("DATE", "DATE")


def document(text: str, record_id: str = "110-01") -> Document:
    return Document(record_id, "110", text)


def tag(text: str, phrase: str, kind: PhiType = PATIENT, occurrence: int = 1) -> Tag:
    start = -1
    for _ in range(occurrence):
        start = text.index(phrase, start + 1)
    return Tag(Span(start, start + len(phrase)), kind)


def found_in(text: str, *tags: Tag) -> list[tuple[int, int]]:
    layer = Layer.of("110-01", "ana", tags)
    return [(each.span.start, each.span.end) for each in exact_findings([document(text)], [layer])]


def test_a_finding_says_where_and_as_what_the_text_is_tagged() -> None:
    first, second = "Kai Yamamoto was seen.", "Mr. Yamamoto, Yamamoto."
    layers = [
        Layer.of("110-01", "ana", [tag(first, "Yamamoto")]),
        Layer.of("110-02", "ana", [tag(second, "Yamamoto", occurrence=2)]),
    ]
    findings = exact_findings([document(first), document(second, "110-02")], layers)
    assert findings == (
        Finding(
            "110",
            FindingLocation("110-02", Span(4, 12)),
            "Yamamoto",
            PATIENT,
            (FindingLocation("110-01", Span(4, 12)), FindingLocation("110-02", Span(14, 22))),
        ),
    )


@pytest.mark.parametrize(
    ("text", "tagged", "expected"),
    [
        ("Lee. Lee's arm.", "Lee", [(5, 8)]),
        ("Lee. Leeward.", "Lee", []),
        ("Lee. lee.", "Lee", []),
        ("5/3/04. Since5/3/04", "5/3/04", [(13, 19)]),
        ("12. B12, 12", "12", [(9, 11)]),
        ("61. 61yo man, 61mg, 61 mg.", "61", [(4, 6), (20, 22)]),
        ("2081. since2081, Hb2081.", "2081", [(11, 15)]),
        ("3/4. On3/4 MRI.", "3/4", [(7, 10)]),
        ("KL. KLFocus, KLM, KL2.", "KL", [(4, 6)]),
        ("Mercy Clinic. Mercy\n   Clinic.", "Mercy Clinic", [(14, 29)]),
        ("Mercy\nClinic. Mercy Clinic.", "Mercy\nClinic", [(14, 26)]),
        ("-- a. -- b.", "--", []),
        ("😀 Núñez 😀 Núñez", "Núñez", [(10, 15)]),
    ],
)
def test_where_a_repeat_is_found(text: str, tagged: str, expected: list[tuple[int, int]]) -> None:
    assert found_in(text, tag(text, tagged)) == expected


def test_a_place_that_any_tag_touches_counts_as_tagged() -> None:
    text = "Lee. Dr. Lee Wong, Lee."
    assert found_in(text, tag(text, "Lee"), tag(text, "Dr. Lee", DOCTOR)) == [(19, 22)]


def test_of_overlapping_places_the_longest_is_reported() -> None:
    text = "Kai Lee. Lee. Kai Lee. Lee."
    tags = [tag(text, "Kai Lee"), tag(text, "Lee", occurrence=2)]
    assert found_in(text, *tags) == [(14, 21), (23, 26)]


def test_the_type_is_the_most_frequent_one() -> None:
    text = "Lee Lee Lee Lee"
    tags = [tag(text, "Lee", kind, n) for n, kind in enumerate([PATIENT, DOCTOR, DOCTOR], start=1)]
    (finding,) = exact_findings([document(text)], [Layer.of("110-01", "ana", tags)])
    assert finding.phi_type == DOCTOR


def test_no_tags_no_findings() -> None:
    assert exact_findings([document("Lee. Lee.")], []) == ()


def test_a_record_without_a_layer_is_searched_too() -> None:
    layer = Layer.of("110-01", "ana", [tag("Lee", "Lee")])
    (finding,) = exact_findings([document("Lee"), document("at Lee", "110-02")], [layer])
    assert (finding.record_id, finding.span) == ("110-02", Span(3, 6))


def hits_of_one_phrase_after_the_other(
    texts: list[str], tags: list[list[Span]]
) -> set[tuple[str, Span]]:
    """The naive way: each tagged phrase as a pattern over each text."""
    phrases = {
        " ".join(span.text_in(text).split())
        for text, spans in zip(texts, tags, strict=True)
        for span in spans
    }
    phrases = {each for each in phrases if any(char.isalnum() for char in each)}
    found: set[tuple[str, Span]] = set()
    for number, (text, spans) in enumerate(zip(texts, tags, strict=True)):
        hits = [
            Span(start, start + len(match[0]))
            for phrase in phrases
            for start in range(len(text))
            if (match := phrase_pattern(phrase).match(text, start))
            and is_whole_token(text, start, start + len(match[0]))
        ]
        found |= {
            (str(number), hit) for hit in hits if not any(hit.overlaps(span) for span in spans)
        }
    return found


words = st.sampled_from(
    ["Lee", "Lee's", "Kai", "KaiLee", "6/03/04", "Since6/03/04", "12", "B12", "12yo", "KL", "KLDoe"]
)
texts = st.lists(words, min_size=1, max_size=14).flatmap(
    lambda some: st.tuples(
        *[st.tuples(st.just(word), st.sampled_from([" ", "\n", ", "])) for word in some]
    ).map(lambda pieces: "".join(word + blank for word, blank in pieces))
)
patients = st.lists(
    texts.flatmap(
        lambda text: st.tuples(
            st.just(text),
            st.lists(
                st.tuples(st.integers(0, len(text) - 1), st.integers(1, 9)).map(
                    lambda place: Span(place[0], min(len(text), sum(place)))
                ),
                max_size=4,
            ),
        )
    ),
    min_size=1,
    max_size=3,
)


@given(patients)
def test_one_pass_finds_what_looking_for_each_phrase_finds(
    patient: list[tuple[str, list[Span]]],
) -> None:
    all_texts, spans = [text for text, _ in patient], [some for _, some in patient]
    documents = [document(text, str(number)) for number, text in enumerate(all_texts)]
    layers = [
        Layer.of(str(number), "ana", [Tag(span, PATIENT) for span in some])
        for number, some in enumerate(spans)
    ]
    found = {(each.record_id, each.span) for each in exact_findings(documents, layers)}
    hits = hits_of_one_phrase_after_the_other(all_texts, spans)
    assert found <= hits
    for record, hit in hits:  # of those that overlap one is told
        there = [span for name, span in found if name == record and span.overlaps(hit)]
        assert there
        assert hit not in found or len(there) == 1


def test_every_repeat_taken_out_at_random_is_found() -> None:
    holed, removed = remove_repeats(fabricate(20, 5), 30, 7)
    found = {
        (each.record_id, each.span)
        for one in holed
        for each in exact_findings(one.patient.documents, one.gold.values())
    }
    assert len(removed) == 30
    assert found >= {(each.record_id, each.tag.span) for each in removed}
