"""Words that are names too: when they are one, and so a leak."""

from collections.abc import Callable

import pytest

from shared.surrogates.leak_check import Leak
from shared.surrogates.ordinary_words import ordinary_words
from tests.builders import document, layer

Leaks = Callable[..., tuple[Leak, ...]]


def test_words_of_several_patients_are_ordinary() -> None:
    sources = ("A rich [Dennis|PATIENT] dennis", "rich food", "poor")
    records = [[(document(each, f"{n}-1"), layer(each, f"{n}-1"))] for n, each in
               enumerate(sources)]  # fmt: skip
    assert ordinary_words(records) == {"rich"}


def test_words_in_any_case_are_labels_from_five_patients_on() -> None:
    def found(count: int) -> frozenset[str]:
        records = [[(document("Domicilio: x", f"{n}-1"), layer("x", f"{n}-1"))]
                   for n in range(count)]  # fmt: skip
        return ordinary_words(records)

    assert found(5) == {"domicilio"}
    assert found(4) == frozenset()


def test_a_name_that_is_a_word_is_a_leak_where_it_is_written_as_a_name(leaks: Leaks) -> None:
    assert leaks("[Will Bell|PATIENT] and then Dr. Will came")


@pytest.mark.parametrize(
    "rest",
    [
        "Will follow up",
        "seen. Will follow up",
        'seen. "Will follow up',
        "plan:\n\t- Will follow up",
        "#Will follow up",
        "(b) Will follow up",
        "x" * 60 + "! Will call",
    ],
)
def test_a_name_that_is_a_word_is_none_where_a_sentence_begins_but_the_patients_own(
    leaks: Leaks, rest: str
) -> None:
    assert leaks(f"[Will Bell|DOCTOR].\n{rest}") == ()
    assert leaks(f"[Will Bell|PATIENT].\n{rest}")


@pytest.mark.parametrize(
    "rest", ["seen Will today", "so Dr. Will came", "x, Will", "1) x Will", ". X Will"]
)
def test_a_name_that_is_a_word_is_one_within_a_sentence(leaks: Leaks, rest: str) -> None:
    assert leaks(f"[Will Bell|PATIENT]. {rest}")


def test_a_name_that_is_a_word_is_one_behind_the_first_sign_of_a_record(leaks: Leaks) -> None:
    assert leaks("& Will came with [Will Bell|PATIENT]")


@pytest.mark.parametrize(
    "source",
    [
        "[Dawn Stone|PATIENT]. CALLED STONE TODAY",
        "[Dawn Stone|PATIENT]. Called STONE today",
        "[Dawn Stone|PATIENT]\nSTONE: stable",
        "[Dawn Stone|PATIENT]. CALLED THE STONES TODAY",
        "[Dawn Stone|PATIENT]. KIDNEY STONE",  # only a reader can tell
        "[Dawn Stone|DOCTOR]. Asked STONE about it",
        "[Dawn Stone|DOCTOR]. STONE agrees",
        "[Dawn Stone|DOCTOR]. Was seen (STONE). Back today",
        "[Dawn Stone|DOCTOR]\nSTONE\nSurgeon",
    ],
)
def test_a_name_that_is_a_word_is_told_in_capitals(leaks: Leaks, source: str) -> None:
    assert leaks(source, ordinary=frozenset({"stone", "stones", "kidney"}))


@pytest.mark.parametrize(
    "source",
    [
        "[Dawn Stone|DOCTOR]. KIDNEY STONE REMOVED",
        "[Dawn Stone|DOCTOR]. A KIDNEY STONE.",
        "[Dawn Stone|DOCTOR].\nSTONE: none",
        "[Dawn Stone|DOCTOR]. a kidney stone",
        "[Dawn Stone|PATIENT]. a kidney stone",
    ],
)
def test_a_word_that_is_a_clinicians_name_may_stand_among_capitals(
    leaks: Leaks, source: str
) -> None:
    assert leaks(source, ordinary=frozenset({"stone"})) == ()
