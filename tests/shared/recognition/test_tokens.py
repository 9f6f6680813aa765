import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.recognition.tokens import LONGEST_PIECE, LONGEST_SEQUENCE, pieces, tokenized


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Since6/03/04", ["Since", "6", "/", "03", "/", "04"]),
        ("PérezNºCol: 28", ["Pérez", "Nº", "Col", ":", "28"]),
        ("Phạm, NGUYỄN Žižek", ["Phạm", ",", "NGUYỄN", "Žižek"]),
        ("ALMarital", ["AL", "Marital"]),
        ("34712RadiologyExam", ["34712", "Radiology", "Exam"]),
        ("x76221", ["x", "76221"]),
        ("45-year-old", ["45", "-", "year", "-", "old"]),
        ("O'Brien,MD", ["O", "'", "Brien", ",", "MD"]),
        ("", []),
        (" \n\f\n ", []),
        ("a\0b\ud800", ["a", "\ufffd", "b", "\ufffd"]),
    ],
)
def test_tokens_end_where_the_kind_of_character_changes(text, words):
    assert tokenized(text).words == words


@given(st.text(alphabet=st.characters(exclude_characters="\r"), max_size=200))
def test_tokens_are_where_they_say_and_cover_all_but_blanks(text):
    tokens = tokenized(text)
    covered = {at for a, b in zip(tokens.starts, tokens.ends, strict=True) for at in range(a, b)}

    assert tokens.words == [
        tokens.text[a:b] for a, b in zip(tokens.starts, tokens.ends, strict=True)
    ]
    assert all(char.isspace() for at, char in enumerate(tokens.text) if at not in covered)


def test_a_sequence_is_a_line():
    assert tokenized("a b\n\nc").sequences == [(0, 2), (2, 3)]


def test_a_sequence_runs_on_where_a_program_broke_the_line():
    text = (
        "Seen in the office at four o'clock in the afternoon by Renata\n"
        "Voss, who found nothing new and will see her again on April\n"
        "17, 2068.\n"
        "Allergies: none\n"
        "Diet: as before"
    )
    tokens = tokenized(text)

    firsts = [tokens.words[first] for first, _ in tokens.sequences]
    assert firsts == ["Seen", "Allergies", "Diet"]


def test_sequences_of_a_text_with_long_lines_are_lines():
    text = f"{'word ' * 40}\nSeen in the office at four o'clock in the afternoon by Renata\nVoss"

    assert len(tokenized(text).sequences) == 3


def test_a_long_line_is_labelled_in_parts():
    sequences = tokenized("a " * (LONGEST_SEQUENCE + 1)).sequences

    assert sequences == [(0, LONGEST_SEQUENCE), (LONGEST_SEQUENCE, LONGEST_SEQUENCE + 1)]


@pytest.mark.parametrize("char", ["x", "x ", "x\n", "word and line\n"])
def test_pieces_of_a_long_text_are_the_text(char):
    text = char * (3 * LONGEST_PIECE // len(char) + 7)
    found = list(pieces(text))

    assert "".join(piece for _, piece in found) == text
    assert all(text.startswith(piece, offset) for offset, piece in found)
    assert all(0 < len(piece) <= LONGEST_PIECE for _, piece in found)


def test_a_short_text_is_one_piece():
    assert list(pieces("short")) == [(0, "short")]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("王小明于2071年3月5日因CT入院。", "王 小 明 于 2071 年 3 月 5 日 因 CT 入 院 。"),
        ("ヤマダ さん", "ヤ マ ダ さ ん"),
        ("ที่ 5 นาย Phạm", "ที่ 5 น า ย Phạm"),
        ("김민수 씨", "김민수 씨"),
    ],
)
def test_where_words_are_not_told_apart_every_letter_is_a_token(text, words):
    assert tokenized(text).words == words.split()


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]) | st.sampled_from("aZéß9_-'ª")))
def test_a_text_has_the_same_tokens_with_a_letter_of_other_latin_script_behind_it(text):
    assert tokenized(f"{text} ā").words == [*tokenized(text).words, "ā"]
