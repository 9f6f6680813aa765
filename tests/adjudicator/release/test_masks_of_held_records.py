"""What is doubtful about tags and surrogates alone holds no record back."""

import pytest

from adjudicator.release.doubt import DoubtRule
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
