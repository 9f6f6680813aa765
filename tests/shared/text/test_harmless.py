import pytest

from shared.text.harmless import as_cell, as_markdown, in_sentence


@pytest.mark.parametrize("text", ["=A1", "+1", "-1", "@x", "\tx", "\rx", '=HYPERLINK("x")'])
def test_no_spreadsheet_takes_a_text_for_a_formula(text: str) -> None:
    assert as_cell(text) == f"'{text}"


@pytest.mark.parametrize("text", ["", "a=b", "1-2", "Ann"])
def test_other_texts_are_cells_as_they_are(text: str) -> None:
    assert as_cell(text) == text


def test_nothing_of_a_text_is_markup() -> None:
    assert as_markdown("# <b>a|b</b> [x](y)\n`z` *w*") == (
        r"\# \<b\>a\|b\</b\> \[x\](y) \`z\` \*w\*"
    )


def test_half_a_pair_is_replaced() -> None:
    assert as_markdown("a\ud83d") == "a\ufffd"


@pytest.mark.parametrize("text", ["المنصوري", "דוד Lee"])
def test_a_name_from_right_to_left_keeps_its_direction_to_itself(text: str) -> None:
    assert in_sentence(text) == f"\u2068{text}\u2069"


@pytest.mark.parametrize("text", ["", "Ann Lee", "王小明"])
def test_another_name_stands_in_a_sentence_as_it_is(text: str) -> None:
    assert in_sentence(text) == text
