"""Which language records are in: told from small words, or said."""

from pathlib import Path

import pytest

from shared.language.detection import detect, language_said, missing_language, records_language
from shared.language.known_languages import CODE, known_languages
from shared.language.languages import default_language, languages_in


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("The patient was seen with her daughter.", "en"),
        ("El paciente fue visto con los familiares de la casa.", "es"),
        ("Die Patientin wurde mit dem Befund der Klinik entlassen.", "de"),
        ("Pasient ble innlagt, utskrevet dagen etter", "und"),
        ("患者王小明先生于2071年入院", "und"),
        ("", "und"),
        ("71 4.5 ++", "und"),
    ],
)
def test_the_language_is_told_by_small_words(text: str, code: str) -> None:
    assert detect([text]).code == code


def test_most_words_of_several_texts_decide() -> None:
    assert (
        detect(["The patient", "Die Patientin wurde auf der Station und im OP gesehen"]).code
        == "de"
    )


def test_a_few_small_words_of_a_language_do_not_make_a_text_one_of_it() -> None:
    assert detect(["the " + "qwx " * 100]).code == "und"
    assert detect(["the " + "qwx " * 10]).code == "en"


def test_what_is_said_goes_before_what_words_tell() -> None:
    texts = ["The patient was seen with her daughter."]
    assert language_said("auto", texts).code == "en"
    assert language_said("de", texts).code == "de"
    assert language_said("xx", texts).code == "und"


def test_a_language_of_another_folder_is_told_too(tmp_path: Path) -> None:
    (tmp_path / "qx").mkdir()
    (tmp_path / "qx" / "language.toml").write_text('name = "Invented"\nstopwords = "ulu mo"\n')
    with languages_in(tmp_path):
        assert detect(["ulu kara mo sira"]).code == "qx"
    assert detect(["ulu kara mo sira"]).code == "und"


def test_only_a_language_without_a_folder_is_missing() -> None:
    assert not any(map(missing_language, ("auto", "und", *known_languages())))
    assert "language nb" in missing_language("nb")


@pytest.mark.parametrize("code", ["en", "pt-BR", "zh-Hant", "und"])
def test_codes(code: str) -> None:
    assert CODE.fullmatch(code)


@pytest.mark.parametrize("code", ["", "../en", "e", "en_US", "English language"])
def test_what_is_no_code(code: str) -> None:
    assert not CODE.fullmatch(code)


def test_the_first_texts_tell_and_where_they_do_not_it_is_any_of_the_default_ones() -> None:
    german = "Die Patientin wurde mit dem Befund der Klinik entlassen."
    assert records_language("auto", [german, "x"]).code == "de"
    assert records_language("auto", ["x"] * 3 + [german]) is default_language()
    assert records_language("auto", ["x", german]).code == "de"
    english = "The patient was seen with her daughter in the clinic and at home."
    assert records_language("auto", [english, german * 3]).code == "en"
    assert records_language("en", [german]).code == "en"
    assert records_language("und", [german]).code == "und"
