"""Streets: one name in place of one, and the form of number, floor and door stays."""

import re
from random import Random

import pytest

from shared.language.languages import language
from shared.language.name_lists import name_lists
from shared.model import PhiType, Span, Tag
from shared.surrogates.drawing import RecordWords, SurrogatePicker
from shared.surrogates.mentions import PhiMention
from shared.surrogates.places.institutions import InstitutionNames
from shared.surrogates.surrogate_kinds import SurrogateKind

SEEDS = pytest.mark.parametrize("seed", range(5))


def renamed(text: str, spoken: str, seed: int, kind: SurrogateKind = SurrogateKind.STREET) -> str:
    one = PhiMention(0, "110-01", Tag(Span(0, 1), PhiType("LOCATION", "X")), kind, text)
    picker = SurrogatePicker(RecordWords([text]), Random(seed))
    return InstitutionNames([one], language(spoken), picker).surrogate(one).text


NAME = r"[A-ZÁÉÍÓÚÑ][a-zñáéíóú]+"


@SEEDS
@pytest.mark.parametrize(
    ("street", "form"),
    [
        ("Paseo Lázaro Cárdenas, 23 - 1º E", rf"Paseo {NAME}, \d\d - \dº [A-H]"),
        ("Calle Pedro Gonu, 28, Bajo A", rf"Calle {NAME}, \d\d, Bajo [B-H]"),
        ("C/ Altos de Nava, s/n", rf"C/ {NAME}, s/n"),
        ("Carrer de Joan Amades i Gelats, 10 1A", rf"Carrer de {NAME}, \d\d \d[B-H]"),
        ("Avda. Valdecilla sn", rf"Avda\. {NAME} sn"),
        ("Avenida de la Residencia, s/n", rf"Avenida de {NAME}, s/n"),
        ("Av. Carlos V, 13, 3 D", rf"Av\. {NAME}, \d\d, \d [A-CE-H]"),
        ("C/. Pintor Goya, 1, 3.º B", rf"C/\. {NAME}, \d, \d\.º [ACD-H]"),
        ("Reyes Católicos, 19 - 5o", rf"{NAME}, \d\d - \do"),
        ("Ctra. Málaga n.o 119", rf"Ctra\. {NAME} n\.o \d{{3}}"),
        ("Avenida de la Marina nº2A", rf"Avenida de {NAME} nº\d[B-H]"),
        ("Av. Galaxia 6, esc. 2, 2ºb", rf"Av\. {NAME} \d, esc\. \d, \dº[a-h]"),
        ("C/ Antonio Acuña. Nº 10 5ºA izq", rf"C/ {NAME}\. Nº \d\d \dº[B-H] izq"),
        ("Ctra. de Colmenar Viejo, Km 9,100", rf"Ctra\. de {NAME}, Km \d,\d{{3}}"),
        ("Ctra. Madrid - Cartagena s/n", rf"Ctra\. {NAME} s/n"),
        ("Av. San Antonio, 47 - 4º Dcha", rf"Av\. San {NAME}, \d\d - \dº Dcha"),
        ("Apartado de Correos 20134", r"Apartado de Correos \d{5}"),
    ],
)
def test_a_spanish_address_keeps_its_form(street: str, form: str, seed: int) -> None:
    new = renamed(street, "es", seed)
    assert re.fullmatch(form, new), new


@SEEDS
def test_a_street_of_a_doctor_bears_a_family_name(seed: int) -> None:
    new = renamed("Calle Dr. Joaquín Aznar, 2", "es", seed)
    assert re.fullmatch(rf"Calle Dr\. {NAME}, \d", new)
    family = name_lists(language("es")).family.every_common
    assert new.split()[2].rstrip(",") in family


@SEEDS
@pytest.mark.parametrize(
    ("street", "form"),
    [
        ("Imre-Dehmel-Gasse 32/32", r"[A-ZÄÖÜ][a-zäöüß]+-Gasse \d\d/\d\d"),
        ("Lange Straße 7b, 3. OG", r"[A-ZÄÖÜ][a-zäöüß]+ Straße \d[a-h], \d\. OG"),
    ],
)
def test_a_german_address_keeps_its_form(street: str, form: str, seed: int) -> None:
    new = renamed(street, "de", seed)
    assert re.fullmatch(form, new), new


@SEEDS
def test_a_direction_of_an_english_street_stays(seed: int) -> None:
    assert re.fullmatch(r"\d{3} E [A-Z]\w+ St", renamed("123 E Main St", "en", seed))


@SEEDS
def test_a_german_hospital_of_a_saint_is_one_again(seed: int) -> None:
    new = renamed("St.-Elisabeth-Krankenhaus", "de", seed, SurrogateKind.HOSPITAL)
    assert new.split("-")[1] in language("de").places.saint_names


@SEEDS
@pytest.mark.parametrize("street", ["12 W 42nd Street", "42ND ST", "1st Avenue", "111th Road"])
def test_the_ending_of_an_ordinal_agrees_with_its_number(street: str, seed: int) -> None:
    new = renamed(street, "en", seed)
    [(number, ending)] = re.findall(r"(\d+)(st|nd|rd|th)\b", new, re.IGNORECASE)
    teen = len(number) > 1 and number[-2] == "1"
    wanted = "th" if teen else {"1": "st", "2": "nd", "3": "rd"}.get(number[-1], "th")
    assert ending == (wanted.upper() if street.isupper() else wanted), new
