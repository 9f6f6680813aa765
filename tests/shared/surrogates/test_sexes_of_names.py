"""The sex of several given names is told by the first, in a surrogate too."""

from collections.abc import Callable

import pytest

from shared.language.languages import language
from shared.language.name_lists import name_lists
from shared.text.spelling import match_key

SEEDS = pytest.mark.parametrize("seed", range(6))


@SEEDS
@pytest.mark.parametrize(
    ("spoken", "name", "sex"),
    [
        ("es", "José Antonio Contreras Ibáñez", "M"),
        ("es", "Juan José Contreras Ibáñez", "M"),
        ("es", "María José Contreras Ibáñez", "F"),
        ("es", "José María Contreras Ibáñez", "M"),
        ("es", "María del Carmen Contreras Ibáñez", "F"),
        ("es", "Ana María del Carmen Contreras Ibáñez", "F"),
        ("de", "Klaus-Jürgen Koch", "M"),
        ("de", "Eva-Marie Faust", "F"),
    ],
)
def test_given_names_of_one_person_stay_of_one_sex(
    surrogates: Callable[..., list[str]], spoken: str, name: str, sex: str, seed: int
) -> None:
    (new,) = surrogates(f"[{name}|DOCTOR]", spoken=spoken, seed=seed)
    given = name_lists(language(spoken)).given_sexes
    family = 2 if spoken == "es" else 1
    words = new.replace("-", " ").split()[:-family]
    assert words
    assert {given[match_key(each)] for each in words} == {sex}, new


@SEEDS
def test_a_name_that_lists_have_for_both_is_that_of_most_who_bear_it(
    surrogates: Callable[..., list[str]], seed: int
) -> None:
    jose, maria = surrogates("[José|PATIENT] y [María|PATIENT]", spoken="es", seed=seed)
    given = name_lists(language("es")).given_sexes
    assert (given[match_key(jose)], given[match_key(maria)]) == ("M", "F")


@SEEDS
def test_family_names_with_a_particle_stay_two_behind_their_label(
    surrogates: Callable[..., list[str]], seed: int
) -> None:
    source = "Apellidos: [López San Cristobal|PATIENT]. Nombre: [María del Carmen|PATIENT]."
    family, given = surrogates(source, spoken="es", seed=seed)
    assert [each == "San" for each in family.split()] == [False, True, False], family
    assert len(given.split()) == 1
