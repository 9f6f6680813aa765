"""Cities, regions and countries: what was one place stays one, and what agrees, agrees again."""

from random import Random

import pytest

from shared.language.languages import language
from shared.language.region_lists import city_regions, region_codes
from shared.model.i2b2_2014 import I2B2_2014
from shared.surrogates.replacement import replace_patient
from shared.surrogates.surrogate_kinds import SurrogateKind, SurrogateSettings, kinds_of
from shared.text.spelling import match_key
from tests.builders import patient
from tests.shared.surrogates.conftest import gold_of

SEEDS = pytest.mark.parametrize("seed", range(8))
TERRITORIES = dict.fromkeys(("CITY", "STATE", "ZIP", "COUNTRY"), SurrogateKind.TERRITORY)


def surrogates(source: str, spoken: str, seed: int, **kinds: SurrogateKind) -> list[str]:
    settings = SurrogateSettings(kinds_of(I2B2_2014, kinds), language(spoken))
    new = replace_patient(patient(source), gold_of(source), settings, Random(seed))
    return [each.surrogate for each in new.replacements]


@SEEDS
def test_a_province_with_a_city_of_its_name_gets_another_such_province(seed: int) -> None:
    source = "Provincia: [Barcelona|CITY]. Vive en [Sabadell|CITY] ([Barcelona|CITY])."
    city, town, province = surrogates(source, "es", seed, **TERRITORIES)
    assert city == province
    spanish = language("es")
    assert city_regions(spanish)[match_key(town)] == region_codes(spanish)[match_key(province)]


@SEEDS
def test_a_city_of_abroad_is_none_where_a_state_stands_beside_it(seed: int) -> None:
    source = "Lives in [Kallang|CITY], [ND|STATE]. Born in [Colombia|COUNTRY]."
    city, state, _ = surrogates(source, "en", seed)
    assert city in language("en").regions[state].cities


@SEEDS
def test_a_city_that_nobody_knows_still_follows_the_country_named_with_it(seed: int) -> None:
    city, country = surrogates("From [Kallang|CITY], [Colombia|COUNTRY].", "en", seed)
    every = language("en").countries.values()
    assert city in next(each.cities for each in every if each.name == country)


@SEEDS
def test_a_city_has_as_many_words_where_its_region_has_such(seed: int) -> None:
    (city,) = surrogates("Vive en [Bilbao|CITY].", "es", seed)
    assert len(city.split()) == 1


@SEEDS
def test_a_country_of_which_cities_are_known_becomes_another_such(seed: int) -> None:
    (country,) = surrogates("Natural de [Argentina|COUNTRY].", "es", seed)
    every = language("es").countries.values()
    assert next(each for each in every if each.name == country).cities
