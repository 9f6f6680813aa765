"""What the data card claims of each mode."""

import pytest

from shared.surrogates.conventions import CARD_TEXTS
from shared.surrogates.surrogate_kinds import ReleaseMode


@pytest.mark.parametrize("mode", list(ReleaseMode))
def test_no_mode_claims_more_than_what_was_tagged(mode: ReleaseMode) -> None:
    text = CARD_TEXTS[mode]
    assert "what was tagged as PHI" in text.title
    assert any("nobody tagged as PHI is still there" in each for each in text.limits)
    for each in (text.title, *text.conventions):
        assert not any(claim in each.lower() for claim in ("every phi", "all phi", "no phi"))
