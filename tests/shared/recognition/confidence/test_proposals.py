import pytest

from shared.recognition.confidence.proposals import DELIMITERS, PHRASES, SHIFTS, Proposals
from shared.recognition.confidence.tagged_words import count_tagged_words
from shared.recognition.crf.marginals import LabelledSpan
from shared.recognition.features import TokenizedDocument

TAGGED = (("Seen at Mercy General by Lee.", [(8, 21, "HOSPITAL"), (25, 28, "DOCTOR")]),)


def counted(*sources):
    return count_tagged_words(
        (TokenizedDocument(text), [LabelledSpan(*each) for each in tags]) for text, tags in sources
    )


def proposed(text, *likely, tagged=TAGGED):
    """Who proposes which text as what, beside the CRFs; `likely` are texts that these find."""
    places = [LabelledSpan(text.index(each), text.index(each) + len(each), "X") for each in likely]
    found = Proposals(counted(*tagged))._in(TokenizedDocument(text), places)
    return {(text[each.start : each.end], each.phi_type): by for each, by in found.items()}


def test_what_was_tagged_elsewhere_is_proposed_in_any_case():
    found = proposed("MERCY GENERAL, then lee.")
    assert found == {
        ("MERCY GENERAL", "HOSPITAL"): PHRASES,
        ("lee", "DOCTOR"): PHRASES,
    }


def test_what_is_seldom_tagged_is_not():
    plain = [("A lee shore.", [])] * 10
    assert proposed("By Lee.", tagged=(*TAGGED, *plain)) == {}


def test_ends_are_shifted_by_words_and_to_delimiters_but_not_over_lines():
    found = proposed("Near Oak\nOld Hill Street West, here.", "Hill Street")
    assert found[("Old Hill Street", "X")] == SHIFTS | DELIMITERS
    assert found[("Hill Street West", "X")] == SHIFTS | DELIMITERS
    assert ("Hill", "X") in found
    assert not [text for text, _ in found if "Oak" in text]


@pytest.mark.parametrize("text", ["", "\n", "Lee", "Mercy"])
def test_short_texts(text):
    proposed(text, *([text] if text.strip() else []))
