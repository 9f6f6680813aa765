"""Records made ready to be checked."""

from hypothesis import given
from hypothesis import strategies as st

from shared.consistency.candidates import UntaggedCandidate, best_candidates
from shared.consistency.findings import FindingKind
from shared.consistency.patient_records import CheckedRecord
from shared.consistency.untagged_patterns import PatternFinder
from shared.language.languages import language
from shared.model import Document, Span, Tag
from shared.model.i2b2_2014 import I2B2_2014
from tests.builders import document, layer, phi, tagged_records

spans = st.tuples(st.integers(0, 30), st.integers(1, 12)).map(
    lambda pair: Span(pair[0], pair[0] + pair[1])
)


@given(st.lists(spans, max_size=8), spans)
def test_the_tags_in_a_stretch_are_those_that_overlap_it(tagged: list[Span], asked: Span) -> None:
    tags = [Tag(span, phi("DATE")) for span in tagged]
    record = CheckedRecord(Document("110-01", "110", "x" * 60), tags, language("en"))
    there = sorted(tag.span for tag in tags if tag.span.overlaps(asked))
    assert [tag.span for tag in record.tags_in(asked.start, asked.end)] == there
    assert record.is_tagged(asked.start, asked.end) == bool(there)


def test_each_text_with_its_places_and_types() -> None:
    source = "[Kai\nLee|PATIENT] and [Kai Lee|DOCTOR], [Kai Lee|DOCTOR]"
    patient = tagged_records([document(source)], [layer(source)])
    (text,) = patient.texts.values()
    assert (text.text, text.phi_type, text.often) == ("Kai Lee", phi("DOCTOR"), "3 times")
    assert len(text.tagged_at) == 3


def test_a_patient_without_records() -> None:
    assert tagged_records([], []).patient_id == ""


candidates = st.builds(
    UntaggedCandidate,
    spans,
    st.sampled_from(list(FindingKind)),
    st.just(phi("DATE")),
    st.sampled_from([0.2, 0.5, 0.9]),
    st.just(""),
)


@given(st.lists(candidates, max_size=8))
def test_no_two_of_the_best_overlap_and_none_could_be_added(some: list[UntaggedCandidate]) -> None:
    kept = best_candidates(some)
    assert kept == sorted(kept, key=lambda each: each.span)
    for each in some:
        others = [other for other in kept if other is not each and other.span.overlaps(each.span)]
        assert each in kept or others
        if each in kept:
            assert not others or each in others


words = st.sampled_from(
    "seen on Monday since May a.lee@b.example age pager MRN: of the March www.a.example in".split()
)


@given(st.lists(words, max_size=12))
def test_a_record_without_digits_has_all_its_findings_without_the_patterns_of_digits(
    some: list[str],
) -> None:
    one = Document("110-01", "110", " ".join(some))
    screened, searched = (CheckedRecord(one, [], language("en")) for _ in range(2))
    searched.__dict__["has_digits"] = True
    finder = PatternFinder(I2B2_2014, language("en"))
    assert not screened.has_digits
    assert list(finder.candidates(screened)) == list(finder.candidates(searched))
