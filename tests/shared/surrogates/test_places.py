"""Places: the same place the same surrogate, and city, state and postal code agree."""

import re
from collections.abc import Callable
from random import Random

import pytest
from faker.providers.address.en_US import Provider

from shared.language.languages import language
from shared.model import PhiType, Span, Tag
from shared.surrogates.drawing import RecordWords, SurrogatePicker
from shared.surrogates.leak_check import LeakRules, find_leaks
from shared.surrogates.mentions import PhiMention, SurrogatePatient
from shared.surrogates.numbers.identifiers import Identifiers
from shared.surrogates.places.geography import Geography
from shared.surrogates.places.institutions import TWO_NAMES, InstitutionNames
from shared.surrogates.places.other_details import OtherPlaces, department, room
from shared.surrogates.surrogate_kinds import SurrogateKind
from shared.text.spelling import match_key

Surrogates = Callable[..., list[str]]
Replaced = Callable[..., SurrogatePatient]
SEEDS = pytest.mark.parametrize("seed", range(5))
NUMBERS = Identifiers([], Random(1), language("en"))


def mention(text: str, kind: SurrogateKind, number: int = 0) -> PhiMention:
    return PhiMention(number, "110-01", Tag(Span(0, 1), PhiType("LOCATION", "X")), kind, text)


def institutions(
    *texts: str, kind: SurrogateKind = SurrogateKind.HOSPITAL, spoken: str = "en", seed: int = 1
) -> list[str]:
    mentions = [mention(text, kind, number) for number, text in enumerate(texts)]
    made = InstitutionNames(
        mentions, language(spoken), SurrogatePicker(RecordWords(texts), Random(seed))
    )
    return [made.surrogate(each).text for each in mentions]


@SEEDS
def test_an_address_agrees(surrogates: Surrogates, seed: int) -> None:
    source = "Lives in [Lowell|CITY], [MA|STATE] [01850|ZIP]. [LOWELL|CITY], [Massachusetts|STATE]"
    city, state, code, again, name = surrogates(source, seed=seed)
    low, high = dict(Provider.states_postcode)[state]
    assert int(low) <= int(code) <= int(high)
    assert city in language("en").regions[state].cities
    assert again == city.upper()
    assert name == language("en").regions[state].name


@SEEDS
def test_two_places_never_become_one(surrogates: Surrogates, seed: int) -> None:
    found = surrogates("[Lowell|CITY] [Quincy|CITY] [Salem|CITY] [MA|STATE] [NH|STATE]", seed=seed)
    assert len(set(found)) == 5


@SEEDS
def test_a_spanish_address_agrees(seed: int) -> None:
    texts = ("Getafe", "Madrid", "28035", "Argentina")
    mentions = [mention(text, SurrogateKind.TERRITORY, number) for number, text in enumerate(texts)]
    picker = SurrogatePicker(RecordWords(texts), Random(seed))
    spoken = language("es")
    made = Geography(mentions, spoken, picker, Identifiers([], Random(seed), spoken))
    city, province, code, country = (made.surrogate(each).text for each in mentions)
    here = language("es").regions[code[:2]]
    assert province == here.name
    assert city in here.cities
    assert country != "Argentina"


@pytest.mark.parametrize(
    ("texts", "spoken"),
    [
        (("08021", "Barcelona"), "es"),
        (("Sevilla", "Córdoba"), "es"),
        (("New York",), "en"),
        (("10115", "Berlin"), "de"),
    ],
)
def test_what_is_a_city_and_a_region_becomes_a_city(texts: tuple[str, ...], spoken: str) -> None:
    known = language(spoken)
    cities = {city for each in known.regions.values() for city in each.cities}
    mentions = [mention(text, SurrogateKind.TERRITORY, number) for number, text in enumerate(texts)]
    for seed in range(20):
        picker = SurrogatePicker(RecordWords(texts), Random(seed))
        made = Geography(mentions, known, picker, Identifiers([], Random(seed), known))
        assert all(
            made.surrogate(each).text in cities for each in mentions if each.text[0].isalpha()
        )


@SEEDS
def test_a_postal_code_keeps_the_letter_of_its_country(surrogates: Surrogates, seed: int) -> None:
    code, city = surrogates("[D-35410|ZIP] [Hungen|CITY]", spoken="de", seed=seed)
    known = {
        f"D-{each.codes[name]}": name
        for each in language("de").regions.values()
        for name in each.codes
    }
    assert known[code] == city


@SEEDS
def test_a_people_follows_its_country_and_the_article_is_mended(
    replaced: Replaced, surrogates: Surrogates, seed: int
) -> None:
    source = "A [Cambodian|COUNTRY] from [Cambodia|COUNTRY], [Cambodians|COUNTRY]"
    people, country, many = surrogates(source, seed=seed)
    found = next(each for each in language("en").countries.values() if each.name == country)
    assert people == found.demonym
    assert many.startswith(found.demonym)
    text = replaced(source, seed=seed).documents[0].text
    assert text.startswith("An " if people[0] in "AEIO" else "A ")


def test_an_unknown_country_is_for_a_person(replaced: Replaced) -> None:
    found = replaced("[Ruritania|COUNTRY]").replacements[0]
    assert found.reasons
    assert found.surrogate != "Ruritania"


@SEEDS
def test_a_hospital_keeps_what_is_generic(seed: int) -> None:
    full, upper, stem, letters = institutions(
        "Greenfield General Hospital", "GREENFIELD GENERAL HOSPITAL", "Greenfield", "GGH", seed=seed
    )
    assert full == f"{stem} General Hospital"
    assert upper == full.upper()
    assert letters == "".join(word[0] for word in full.split())


@pytest.mark.parametrize(
    ("text", "kind", "spoken", "kept"),
    [
        ("Hospital Universitario La Paz", SurrogateKind.HOSPITAL, "es", "Hospital Universitario "),
        ("St. Agnes Medical Center", SurrogateKind.HOSPITAL, "en", "St. "),
        ("University of Holcomb", SurrogateKind.ORGANIZATION, "en", "University of "),
        ("C/ Doctor Fleming", SurrogateKind.STREET, "es", "C/ "),
    ],
)
def test_what_stays_of_a_name(text: str, kind: SurrogateKind, spoken: str, kept: str) -> None:
    new = institutions(text, kind=kind, spoken=spoken)[0]
    assert new.startswith(kept)
    assert new != text


@SEEDS
def test_a_street_gets_another_number_and_name(seed: int) -> None:
    new = institutions("23 Fruit Street, Apt. 4B", kind=SurrogateKind.STREET, seed=seed)[0]
    number, name, street, apartment, door = new.split()
    assert re.fullmatch(r"\d\d", number)
    assert number != "23"
    assert name != "Fruit"
    assert (street, apartment) == ("Street,", "Apt.")
    assert re.fullmatch(r"\d[A-Z]", door)
    assert door != "4B"


@pytest.mark.parametrize("text", ["General Hospital", "the clinic", "Community Health Center"])
def test_a_name_of_generic_words_changes_too(text: str) -> None:
    assert institutions(text)[0].lower() != text.lower()


@pytest.mark.parametrize(
    ("text", "generic"),
    [
        ("Department for radiology, imaging, and oncology", "Radiology"),
        ("Greenfield Heart Failure Program", "Cardiology"),
        ("Firm B", "Internal Medicine"),
        ("RADIOLOGY", "INTERNAL MEDICINE"),
        ("Internal Medicine", "General Medicine"),
    ],
)
def test_departments(text: str, generic: str) -> None:
    found = department(mention(text, SurrogateKind.DEPARTMENT), language("en"), RecordWords([]))
    assert found.text == generic


@pytest.mark.parametrize("text", ["Room 412", "Floor 3, room 12", "B7", "12-2", "Suite 900"])
def test_rooms(text: str) -> None:
    new = room(mention(text, SurrogateKind.ROOM), language("en"), NUMBERS).text
    assert new != text
    assert [char.isdigit() for char in new] == [char.isdigit() for char in text]


@pytest.mark.parametrize("text", ["Route 9", "the East Coast", "Cape Cod", "downtown somewhere"])
def test_other_places(text: str) -> None:
    made = OtherPlaces(language("en"), SurrogatePicker(RecordWords([text]), Random(1)))
    found = made.surrogate(mention(text, SurrogateKind.PLACE))
    assert found.text != text
    assert found.text.lower().startswith("the ") == text.startswith("the ")
    assert bool(found.reasons) == (text == "downtown somewhere")


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Hospital de la Princesa", r"Hospital de (?!la )"),
        ("Hospital del Mar", r"Hospital de (?!l )"),
        ("HOSPITAL DEL MAR", r"HOSPITAL DE [A-Z]"),
        ("La Paz", r"(?!La Paz)"),
        ("Hospital Clínico", r"Hospital (?!Clínico)"),
    ],
)
@SEEDS
def test_a_spanish_name_has_no_article_that_may_be_wrong(text: str, kept: str, seed: int) -> None:
    assert re.match(kept, institutions(text, spoken="es", seed=seed)[0])


def test_a_saint_keeps_her_sex() -> None:
    from shared.language.name_lists import name_lists

    women = {
        match_key(each)
        for names in name_lists(language("es")).women.common.values()
        for each in names
    }
    saint = institutions("Hospital de Santa Ana", spoken="es")[0].split("Santa ")[1]
    assert match_key(saint) in women


@SEEDS
def test_two_names_of_one_abbreviation_are_told_by_what_was_named_before(seed: int) -> None:
    green, first, grand, second = institutions(
        "Green Hospital", "GH", "Grand Hospital", "GH", seed=seed
    )
    assert first == "".join(word[0] for word in green.split())
    assert second == "".join(word[0] for word in grand.split())
    assert first != second


def test_an_abbreviation_of_two_names_that_nothing_tells_is_looked_at() -> None:
    texts = ("GH", "Green Hospital", "Grand Hospital")
    mentions = [mention(text, SurrogateKind.HOSPITAL, number) for number, text in enumerate(texts)]
    made = InstitutionNames(
        mentions, language("en"), SurrogatePicker(RecordWords(texts), Random(1))
    )
    assert made.surrogate(mentions[0]).reasons == (TWO_NAMES,)
    assert not made.surrogate(mentions[1]).reasons


def test_where_no_places_are_known_a_person_names_one(replaced: Replaced) -> None:
    found = replaced("[Lowell|CITY], [MA|STATE], [Ruritania|COUNTRY]", spoken="und").replacements
    assert [each.surrogate for each in found] == ["[CITY]", "[STATE]", "[COUNTRY]"]
    assert all(each.reasons for each in found)


@pytest.mark.parametrize("text", ["Canada", "Chile", "Portugal"])
def test_a_country_written_alike_in_both_languages_is_told_by_the_records(text: str) -> None:
    for code in ("en", "es"):
        spoken, mentions = language(code), [mention(text, SurrogateKind.COUNTRY)]
        for seed in range(20):
            picker = SurrogatePicker(RecordWords([text]), Random(seed))
            made = Geography(mentions, spoken, picker, Identifiers([], Random(seed), spoken))
            new = made.surrogate(mentions[0]).text
            assert new in {each.name for each in spoken.countries.values()}
            assert new != text


@pytest.mark.parametrize(
    ("text", "spoken"),
    [("España", "es"), ("española", "es"), ("USA", "en"), ("American", "en"), ("U.S.", "en")],
)
def test_the_country_of_the_records_stays_as_its_cities_do(
    replaced: Replaced, text: str, spoken: str
) -> None:
    new = replaced(f"[{text}|COUNTRY]", spoken=spoken)
    assert new.documents[0].text == text
    assert find_leaks(new, {}, LeakRules(language(spoken))) == ()
    assert replaced(f"[{text}|COUNTRY]", spoken="und").documents[0].text != text


@pytest.mark.parametrize("seed", range(20))
def test_a_postal_code_in_front_tells_where_its_city_is(surrogates: Surrogates, seed: int) -> None:
    source = "[Eisenstadt|CITY]" + " dann verlegt" * 3 + " nach [91695|ZIP] [Unbekanntdorf|CITY]"
    _, code, city = surrogates(source, spoken="de", seed=seed)
    region = next(each for each in language("de").regions.values() if city in each.cities)
    assert region.country == "DE"
    assert region.codes[city] == code


@pytest.mark.parametrize("seed", range(20))
def test_a_postal_code_keeps_its_length(surrogates: Surrogates, seed: int) -> None:
    source = "[7000|ZIP] [Eisenstadt|CITY]. [91695|ZIP] [Eisenstadt|CITY]. [00001|ZIP] [Graz|CITY]"
    codes = surrogates(source, spoken="de", seed=seed)[::2]
    assert [len(each) for each in codes] == [4, 5, 5]


@pytest.mark.parametrize(
    ("source", "spoken"),
    [
        ("Localidad: [La Habana|CITY].⏎CP: [11300|ZIP].⏎Nacida: 1987. País: [Cuba|COUNTRY]", "es"),
        ("Clínica, [5500|ZIP] [Mendoza|CITY], [Argentina|COUNTRY]", "es"),
        ("Hospital, [Córdoba|CITY] ([Argentina|COUNTRY]).", "es"),
        ("She was born in [Lagos|CITY], [Nigeria|COUNTRY].", "en"),
        ("geboren in [Krakau|CITY], [Polen|COUNTRY]", "de"),
    ],
)
@SEEDS
def test_a_city_of_abroad_lies_in_the_country_beside_it(
    surrogates: Surrogates, source: str, spoken: str, seed: int
) -> None:
    *_, country = found = surrogates(source, spoken=spoken, seed=seed)
    city = next(each for each in found if not each.isdigit())
    known = next(each for each in language(spoken).countries.values() if each.name == country)
    assert city in known.cities
    assert country not in source


@SEEDS
def test_a_city_that_nobody_knows_is_at_home_where_the_form_says_so(
    surrogates: Surrogates, seed: int
) -> None:
    source = "Localidad: [Villachica|CITY]. País: [España|COUNTRY]. Aparato de [USA|COUNTRY]"
    city, country, _ = surrogates(source, spoken="es", seed=seed)
    assert country == "España"
    assert any(city in each.cities for each in language("es").regions.values())


@SEEDS
def test_a_country_cut_short_becomes_one_in_the_language_of_the_records(
    surrogates: Surrogates, seed: int
) -> None:
    source = "en [Irvine|CITY], [EE.UU.|COUNTRY]; en [Oxford|CITY], [England|COUNTRY]"
    city, first, other_city, other = surrogates(source, spoken="es", seed=seed)
    countries = {each.name: each for each in language("es").countries.values()}
    assert city in countries[first].cities
    assert other_city in countries[other].cities
