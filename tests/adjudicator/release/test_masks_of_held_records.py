"""What is doubtful about tags and surrogates alone holds no record back."""

from random import Random

import pytest

from adjudicator.release.doubt import DoubtRule
from shared.formats.base import Record
from shared.synthetic.letters import fabricate_letters
from tests.adjudicator.release.test_unattended import made, released

HOLD_BACK = DoubtRule.HOLD_BACK
IN_TAGS = [
    ("Seen on [2007-05-09|DATE], [two moons ago|DATE].", "two moons ago", "[DATE]"),
    ("Born in [Ruritania|COUNTRY], seen [2007-05-09|DATE].", "Ruritania", "[COUNTRY]"),
    ("He is a [grinder at an axe factory|PROFESSION].", "grinder", "[PROFESSION]"),
    ("See [www.rosehill-hospital.example/results|URL] now.", "rosehill", "[URL]"),
    ("Seen by Dr. [Petty,|DOCTOR] no pain.", "Petty", "[DOCTOR]"),
]


@pytest.mark.parametrize(("source", "told", "mask"), IN_TAGS)
def test_what_only_a_tag_or_its_surrogate_is_doubtful_about_is_masked(source, told, mask):
    release = made({"110-01": source}, HOLD_BACK)
    text = released(release)["110-01"]
    assert mask in text
    assert told not in text
    assert release.doubts
    assert release.facts.masked == 1


@pytest.mark.parametrize(("source", "told", "mask"), IN_TAGS)
def test_beside_it_something_may_be_left_all_the_same(source, told, mask):
    release = made({"110-01": f"{source} [Holcomb|PATIENT] came. HOLCOMB left."}, HOLD_BACK)
    assert not released(release)


@pytest.mark.parametrize("code", ["en", "de", "es"])
def test_every_doubtful_place_is_masked_or_in_a_record_that_is_left_out(code):
    """As the card says; a share of the tags of fabricated letters is taken out, as if missed."""
    rng = Random(code)
    letters = list(fabricate_letters(code, 8, 3, letters="fourth"))
    records = [
        Record.of(each, [tag for tag in one.gold[each.record_id].tags if rng.random() > 0.02])
        for one in letters
        for each in one.patient.documents
    ]
    release = made(records, HOLD_BACK, new_ids=True)
    masks = {place for each in release.settled.values() for place in each.masks}
    held = {record_id for _, record_id in release.held}
    assert held
    assert masks
    for doubt in release.doubts:
        start, end = doubt.span
        is_masked = any(
            doubt.record_id == record_id and span.start <= start and end <= span.end
            for record_id, span in masks
        )
        assert is_masked or doubt.record_id in held
    for one in letters:
        for each in one.patient.documents:
            of_record = [span for record_id, span in masks if record_id == each.record_id]
            tags = one.gold[each.record_id].tags
            tagged = {at for tag in tags for at in range(tag.start, tag.end)}
            for span in of_record:  # nothing but PHI and what is written on to it
                assert not tagged.isdisjoint(range(span.start, span.end))
