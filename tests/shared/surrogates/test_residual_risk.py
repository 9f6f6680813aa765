"""What a data card says of what may be left."""

import json

import pytest

from shared.surrogates.residual_risk import (
    HEADING,
    RiskStatement,
    risk_as_json,
    risk_as_markdown,
    risk_from_json,
    with_statements,
)

MISSED = RiskStatement(
    "missed", "PHI that both missed", ("Two read.", "About 3."), ("They read alike.",), {"all": 3}
)
AUDIT = RiskStatement("audits", "Audits", ("None was made.",), is_told=False)
CARD = json.dumps({"title": "P", "conventions": []}).encode()
TEXT = b"# P\n\nSome words.\n\n## Conventions\n\n- Dates\n"


def test_each_statement_stands_under_its_title_with_its_limits():
    lines = risk_as_markdown([MISSED, AUDIT]).split("\n\n")
    assert lines[0] == HEADING
    assert lines[2:] == [
        "### PHI that both missed", "Two read.", "About 3.", "- Limit: They read alike.",
        "### Audits", "None was made.",
    ]  # fmt: skip


def test_where_nobody_asked_the_card_does_not_look_like_an_estimate():
    assert "Nobody has asked" in risk_as_markdown([])
    assert "estimates" not in risk_as_markdown([])


def test_json_brings_the_same_back():
    assert risk_from_json(json.loads(json.dumps(risk_as_json([MISSED, AUDIT])))) == (MISSED, AUDIT)


def test_a_card_of_before_gets_the_section_before_its_conventions():
    card, text = with_statements(CARD, TEXT, [MISSED])
    assert json.loads(card)["residual_risk"]["missed"]["figures"] == {"all": 3}
    assert text.index(b"About 3.") < text.index(b"## Conventions")
    assert text.startswith(b"# P\n\nSome words.\n\n## What may be left\n")


def test_saying_it_again_changes_nothing_and_another_key_stays():
    once = with_statements(CARD, TEXT, [MISSED, AUDIT])
    assert with_statements(*once, [MISSED]) == once
    again = RiskStatement("audits", "Audits", ("One was made.",))
    card, text = with_statements(*once, [again])
    assert list(json.loads(card)["residual_risk"]) == ["missed", "audits"]
    assert b"About 3." in text
    assert b"None was made." not in text
    assert text.count(HEADING.encode()) == 1
    assert text.endswith(b"## Conventions\n\n- Dates\n")


def test_without_conventions_it_comes_last():
    assert with_statements(CARD, b"# P\n", [MISSED])[1].endswith(b"- Limit: They read alike.\n")


@pytest.mark.parametrize("kept", [[], "x", {"missed": 3}, {"missed": {"title": "x"}}, None])
def test_what_is_no_statement_is_refused(kept):
    with pytest.raises(ValueError, match="no statements"):
        with_statements(json.dumps({"residual_risk": kept}).encode(), TEXT, [MISSED])


@pytest.mark.parametrize("card", [b"[]", b"3", b"{", b"\xff"])
def test_what_is_no_card_is_refused(card):
    with pytest.raises(ValueError, match=r".+"):
        with_statements(card, TEXT, [MISSED])


def test_nothing_in_a_sentence_is_markup():
    said = RiskStatement("x", "T\n## Conventions", ("<b>|`x`", "[a](b)"))
    text = risk_as_markdown([said])
    assert "\n## Conventions" not in text
    assert r"\<b\>\|\`x\`" in text
    assert r"\[a\](b)" in text
