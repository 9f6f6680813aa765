"""Ages: what is one, what stays, and which move."""

import re
from dataclasses import replace

import pytest

from shared.language.languages import Language, language
from shared.model import PhiType, Span, Tag
from shared.surrogates.mentions import PhiMention, Surrogate
from shared.surrogates.numbers.ages import NO_AGE, is_age, read_age, replace_ages
from shared.surrogates.surrogate_kinds import SurrogateKind

ENGLISH = language("en")


def spoken_as(text: str) -> Language:
    return language("es" if re.search("años|noventa|meses|días", text) else "en")


def mention(text: str, before: str = "", record: str = "110-01", number: int = 0) -> PhiMention:
    tag = Tag(Span(0, 1), PhiType("AGE", "AGE"))
    return PhiMention(number, record, tag, SurrogateKind.AGE, text, before, "")


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("93", 93), ("93-year-old", 93), ("seventy-two", 72), ("one hundred two", 102),
        ("noventa y dos años", 92), ("60s", 60), ("sixties", 60), ("25 meses", 0), ("old", None),
    ],
)  # fmt: skip
def test_ages_are_read(text: str, years: int | None) -> None:
    assert read_age(text, spoken_as(text)).years == years


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("72", "72"), ("89", "89"), ("90", "90"), ("91", "90"), ("93", "90"), ("104", "90"),
        ("ninety-three", "ninety"),
        ("Ninety-Three", "Ninety"), ("NINETY-THREE", "NINETY"), ("92 años", "90 años"),
        ("noventa y dos", "noventa"), ("90s", "90s"), ("26 días", "26 días"),
    ],
)  # fmt: skip
def test_ages_from_ninety_on_are_ninety(text: str, new: str) -> None:
    assert replace_ages([mention(text)], {}, spoken_as(text))[0].text == new


def test_the_patients_other_ages_move_down_and_those_of_relatives_do_not() -> None:
    ages = [
        mention("93", "a ", "110-02", 0),
        mention("91", "a ", "110-01", 1),
        mention("fifty-five", "mother died at ", "110-01", 2),
        mention("88", "a ", "110-00", 3),
    ]
    years = {"110-00": 2002, "110-01": 2005, "110-02": 2007}
    found = replace_ages(ages, years, ENGLISH)
    assert [found[n].text for n in range(4)] == ["90", "88", "fifty-five", "85"]


@pytest.mark.parametrize(("age", "new"), [("90", "90"), ("89", "86")])
def test_an_age_from_ninety_on_beside_a_relative_is_the_relatives(age: str, new: str) -> None:
    ages = [mention("93", "a ", "110-02", 0), mention(age, "her mother, ", "110-01", 1)]
    years = {"110-01": 2007 - 93 + int(age), "110-02": 2007}
    assert replace_ages(ages, years, ENGLISH)[1].text == new


@pytest.mark.parametrize(("oldest", "down"), [(90, 0), (91, 1)])
def test_ages_move_down_as_far_as_the_oldest_is_above_ninety(oldest: int, down: int) -> None:
    ages = [mention(str(oldest), "a ", "110-02", 0), mention("80", "a ", "110-01", 1)]
    years = {"110-01": 2007 - oldest + 80, "110-02": 2007}
    found = replace_ages(ages, years, ENGLISH)
    assert [found[0].text, found[1].text] == ["90", str(80 - down)]


def test_an_age_without_a_number_stays() -> None:
    found = replace_ages([mention("elderly")], {}, ENGLISH)[0]
    assert found.text == "elderly"
    assert not found.reasons


def test_where_no_number_words_are_known_an_age_in_words_is_for_a_person() -> None:
    found = replace_ages([mention("quatre-vingt-douze")], {}, language("und"))[0]
    assert found.reasons == (NO_AGE,)
    assert found.text == "[AGE]"


@pytest.mark.parametrize("text", ["noventa y dos", "dreiundneunzig"])
def test_number_words_of_another_language_are_read(text: str) -> None:
    assert replace_ages([mention(text)], {}, ENGLISH)[0].text == "ninety"


def test_what_is_no_age_gets_a_placeholder() -> None:
    found = replace_ages([mention("٣٤ʺ½x²"), mention("²", number=1)], {}, ENGLISH)[1]
    assert found.reasons == (NO_AGE,)
    assert found.text == "[AGE]"


@pytest.mark.parametrize(
    "text",
    [
        "Michaela",
        "M. Turner",
        "Dr. Long, 46",
        "7-Oct-1998",
        "October 30",
        "March",
        "Monday",
        "1998",
    ],
)
def test_what_is_no_age_does_not_stay(text: str) -> None:
    """Under AGE it would be released as it is."""
    found = replace_ages([mention(text)], {}, ENGLISH)[0]
    assert found.reasons == (NO_AGE,)
    assert not set(re.findall(r"\w{2,}", text)) & set(re.findall(r"\w{2,}", found.text))


@pytest.mark.parametrize(
    "text", ["46", "46 y/o", "mid-40s", "5 years and 7 months", "elderly", "in her 80's"]
)
def test_ages_in_other_words_stay(text: str) -> None:
    assert replace_ages([mention(text)], {}, ENGLISH)[0] == Surrogate(text, "age")


@pytest.mark.parametrize(
    ("spoken", "text"),
    [
        ("en", "jms"),
        ("en", "46 jms"),
        ("es", "sin hijos"),
        ("es", "pérez"),
        ("de", "krüger, 46"),
    ],
)
def test_small_letters_make_no_age(spoken: str, text: str) -> None:
    found = replace_ages([mention(text)], {}, language(spoken))[0]
    assert found.reasons == (NO_AGE,)


@pytest.mark.parametrize(
    ("spoken", "text"),
    [
        ("es", "Recién nacido"),
        ("es", "Adolescente"),
        ("es", "tres años y medio"),
        ("de", "Neugeborenes"),
        ("de", "Mitte vierzig"),
        ("en", "middle-aged"),
        ("en", "early childhood"),
    ],
)
def test_a_time_of_life_is_an_age(spoken: str, text: str) -> None:
    assert replace_ages([mention(text)], {}, language(spoken))[0] == Surrogate(text, "age")


@pytest.mark.parametrize(
    ("spoken", "text"),
    [("es", "octubre"), ("es", "lunes"), ("de", "montag"), ("en", "october"), ("es", "otoño")],
)
def test_a_month_a_weekday_and_a_season_in_small_letters_are_no_age(spoken: str, text: str) -> None:
    assert not is_age(text, language(spoken))


@pytest.mark.parametrize(
    ("spoken", "before", "text", "after"),
    [
        ("en", "SLE diagnosed ", "'64", ", melanoma"),
        ("en", "SLE diagnosed '", "64", ", melanoma"),
        ("en", "smokes since ", "64", ", melanoma"),
        ("en", "smokes ", "since 64", ""),
        ("es", "diabetes desde el ", "64", ", fumador"),
        ("es", "diabetes en el ", "`64", ", fumador"),
        ("de", "Diabetes seit ", "64", " bekannt"),
        ("de", "Diabetes seit ", "’64", " bekannt"),
    ],
)
def test_a_year_of_two_digits_is_no_age_and_does_not_stay(
    spoken: str, before: str, text: str, after: str
) -> None:
    year = replace(mention(text, before), after=after)
    found = replace_ages([year], {}, language(spoken))[0]
    assert (found.text, found.reasons) == ("[AGE]", (NO_AGE,))


@pytest.mark.parametrize(
    ("spoken", "before", "text", "after"),
    [
        ("en", "a '", "64-year-old", "' woman"),
        ("en", "well known as 'the ", "64", "' "),
        ("en", "seen in ", "64", " yo woman"),
        ("en", "Her sister, in ", "60s", ", is well"),
        ("es", "fumador desde los ", "64", " años"),
        ("es", "diabetes desde ", "64", " años"),
        ("de", "Diabetes im ", "64.", " Lebensjahr"),
    ],
)
def test_an_age_behind_words_of_time_or_between_quotes_stays(
    spoken: str, before: str, text: str, after: str
) -> None:
    age = replace(mention(text, before), after=after)
    assert replace_ages([age], {}, language(spoken))[0].text == text
