"""What a hospital or another place is called is as what it was called, and tells nothing of it."""

import pytest

from shared.language.languages import language
from shared.language.name_lists import name_lists
from shared.surrogates.surrogate_kinds import SurrogateKind
from shared.text.spelling import match_key
from tests.shared.surrogates.test_cities import surrogates
from tests.shared.surrogates.test_places import institutions

SEEDS = pytest.mark.parametrize("seed", range(8))
STEMS = language("en").places.stems


@SEEDS
def test_a_name_over_small_words_is_one_name(seed: int) -> None:
    source = (
        "At [Fountain of Sorrows Clinic|HOSPITAL] ([FSC|HOSPITAL]), [Fountain of Sorrows|HOSPITAL]."
    )
    full, short, alone = surrogates(source, "en", seed)
    assert alone in STEMS
    assert full == f"{alone} Clinic"
    assert short == "".join(each[0] for each in full.split() if each[0].isupper())
    assert " of " in alone or " the " in alone


@SEEDS
@pytest.mark.parametrize(
    ("spoken", "texts"),
    [
        ("en", ("Fountain of Sorrows Hospital", "Sorrows")),
        ("en", ("Sorrows", "Fountain of\nSorrows Hospital")),
        ("es", ("Hospital Conde de Olmedilla", "Olmedilla")),
    ],
)
def test_a_part_of_such_a_name_still_means_the_same_place(
    spoken: str, texts: tuple[str, str], seed: int
) -> None:
    one, other = institutions(*texts, spoken=spoken, seed=seed)
    assert one in other or other in one


@SEEDS
def test_a_part_of_two_such_names_is_none_of_either(seed: int) -> None:
    texts = ("Fountain of Sorrows Hospital", "Fountain of Mercy Hospital", "Fountain Clinic")
    one, two, three = (
        each.removesuffix(" Hospital").removesuffix(" Clinic")
        for each in institutions(*texts, seed=seed)
    )
    assert len({one, two, three}) == 3


@SEEDS
def test_a_city_in_the_name_of_a_hospital_stays_that_city(seed: int) -> None:
    hospital, city = surrogates(
        "[Lindell of Springfield|HOSPITAL] in [Springfield|CITY]", "en", seed
    )
    assert hospital.endswith(f" of {city}")


@SEEDS
def test_a_hospital_with_a_family_name_gets_another_family_name(seed: int) -> None:
    full, short = institutions("Gonzales Medical Center", "GMC", seed=seed)
    name = full.removesuffix(" Medical Center")
    assert match_key(name) in name_lists(language("en")).family_names
    assert name != "Gonzales"
    assert short == f"{name[0]}MC"


@SEEDS
def test_a_place_stays_of_its_kind(seed: int) -> None:
    source = (
        "[Lake Wenonah|LOCATION-OTHER] [Harrow Park|LOCATION-OTHER] [the Ash Hills|LOCATION-OTHER]"
    )
    lake, park, hills = surrogates(source, "en", seed)
    assert lake.removeprefix("Lake ") in STEMS
    assert park.removesuffix(" Park") in STEMS
    assert hills.removeprefix("the ").removesuffix(" Hills") in STEMS


@SEEDS
def test_a_city_beside_its_state_once_is_at_home_everywhere(seed: int) -> None:
    source = "Lives in [Kallang|CITY]. [Kallang|CITY], [ND|STATE]. Born in [Colombia|COUNTRY]."
    city, again, state, _ = surrogates(source, "en", seed)
    assert city == again
    assert city in language("en").regions[state].cities


@SEEDS
def test_an_organization_of_two_names_keeps_two(seed: int) -> None:
    (firm,) = institutions("Ferris and Oakes", kind=SurrogateKind.ORGANIZATION, seed=seed)
    assert " and " in firm


@SEEDS
def test_our_lady_stays(seed: int) -> None:
    (name,) = institutions("Our Lady of Sorrows Hospital", seed=seed)
    assert name.startswith("Our Lady of ")
    assert "Sorrows" not in name
