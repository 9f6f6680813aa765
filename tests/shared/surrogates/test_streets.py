"""Streets: one name in place of one, and the form of number, floor and door stays."""

import re
from collections.abc import Callable
from random import Random

import pytest

from shared.language.languages import language
from shared.language.name_lists import name_lists
from shared.model import PhiType, Span, Tag
from shared.surrogates.drawing import RecordWords, SurrogatePicker
from shared.surrogates.mentions import PhiMention, SurrogatePatient
from shared.surrogates.places.institutions import InstitutionNames
from shared.surrogates.surrogate_kinds import SurrogateKind

SEEDS = pytest.mark.parametrize("seed", range(5))


def renamed(text: str, spoken: str, seed: int, kind: SurrogateKind = SurrogateKind.STREET) -> str:
    one = PhiMention(0, "110-01", Tag(Span(0, 1), PhiType("LOCATION", "X")), kind, text)
    picker = SurrogatePicker(RecordWords([text]), Random(seed))
    return InstitutionNames([one], language(spoken), picker).surrogate(one).text


NAME = r"[A-ZÁÉÍÓÚÑ][a-zñáéíóú]+"
TWO = rf"{NAME} {NAME}"
THREE = rf"{NAME} (?:del?|{NAME}) {NAME}"


@SEEDS
@pytest.mark.parametrize(
    ("street", "form"),
    [
        ("Paseo Lázaro Cárdenas, 23 - 1º E", rf"Paseo {TWO}, \d\d - \dº [A-H]"),
        ("Calle Pedro Gonu, 28, Bajo A", rf"Calle {TWO}, \d\d, Bajo [B-H]"),
        ("C/ Altos de Nava, s/n", rf"C/ {THREE}, s/n"),
        (
            "Carrer de Joan Amades i Gelats, 10 1A",
            rf"Carrer de {NAME} de l\w+ {NAME}, \d\d \d[B-H]",
        ),
        ("Avda. Valdecilla sn", rf"Avda\. {NAME} sn"),
        ("Avenida de la Residencia, s/n", rf"Avenida de la {NAME}, s/n"),
        ("Av. Carlos V, 13, 3 D", rf"Av\. {TWO}, \d\d, \d [A-CE-H]"),
        ("C/. Pintor Goya, 1, 3.º B", rf"C/\. {TWO}, \d, \d\.º [ACD-H]"),
        ("Reyes Católicos, 19 - 5o", rf"{TWO}, \d\d - \do"),
        ("Ctra. Málaga n.o 119", rf"Ctra\. {NAME} n\.o \d{{3}}"),
        ("Avenida de la Marina nº2A", rf"Avenida de la {NAME} nº\d[B-H]"),
        ("Av. Galaxia 6, esc. 2, 2ºb", rf"Av\. {NAME} \d, esc\. \d, \dº[a-h]"),
        ("C/ Antonio Acuña. Nº 10 5ºA izq", rf"C/ {TWO}\. Nº \d\d \dº[B-H] izq"),
        ("Ctra. de Colmenar Viejo, Km 9,100", rf"Ctra\. de {TWO}, Km \d,\d{{3}}"),
        ("Ctra. Madrid - Cartagena s/n", rf"Ctra\. {TWO} s/n"),
        ("Av. San Antonio, 47 - 4º Dcha", rf"Av\. San {NAME}, \d\d - \dº Dcha"),
        ("Apartado de Correos 20134", r"Apartado de Correos \d{5}"),
        ("Avda. de los Olivos, 3", rf"Avda\. de los {NAME}s, \d"),
        ("Av. del Rio, 34, 3, A", rf"Av\. del {NAME}, \d\d, \d, [B-H]"),
        ("Calle Alajuela 125 D, esq", rf"Calle {NAME} \d{{3}} [A-CE-H], esq"),
        ("Calle 13 Nº 5 km 3", r"Calle \d\d Nº \d km \d"),
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
        ("Imre-Dehmel-Gasse 32/32", r"[A-ZÄÖÜ]\w+-[A-ZÄÖÜ]\w+-Gasse \d\d/\d\d"),
        ("Goethe-Weg 2", r"[A-ZÄÖÜ][a-zäöüß]+weg \d"),
        ("Bahnhof-Ring 2", r"[A-ZÄÖÜ][a-zäöüß]+ring \d"),
        ("Lange Straße 7b, 3. OG", r"(?:Breite|Hohe|Krumme|Kurze|Stille) Straße \d[a-h], \d\. OG"),
        ("Langer Weg 1", r"(?:Breiter|Grüner|Hoher|Krummer|Kurzer) Weg \d"),
    ],
)
def test_a_german_address_keeps_its_form(street: str, form: str, seed: int) -> None:
    new = renamed(street, "de", seed)
    assert re.fullmatch(form, new), new


@SEEDS
@pytest.mark.parametrize(
    ("spoken", "street", "form", "name"),
    [
        ("en", "185 School St", r"\d{3} [A-Z]\w+ St", "School"),
        ("en", "408 School Court", r"\d{3} [A-Z]\w+ Court", "School"),
        ("es", "Av. La Virgen, 2", r"Av\. La [A-Z]\w+, \d", "Virgen"),
        ("de", "Am Markt 3", r"Am [A-Z]\w+ \d", "Markt"),
        ("de", "Neue Straße 4", r"[A-Z]\w+ Straße \d", "Neue"),
    ],
)
def test_a_street_with_generic_words_for_a_name_gets_another(
    spoken: str, street: str, form: str, name: str, seed: int
) -> None:
    new = renamed(street, spoken, seed)
    assert re.fullmatch(form, new), new
    assert name not in new


@SEEDS
@pytest.mark.parametrize(
    "name", ["Marienhospital", "Diakonissenhaus", "Kreisklinik", "Diakoniewerk"]
)
def test_a_german_hospital_in_one_word_is_one_again(name: str, seed: int) -> None:
    new = renamed(name, "de", seed, SurrogateKind.HOSPITAL)
    ending = next(
        each for each in ("hospital", "haus", "klinik", "werk") if name.lower().endswith(each)
    )
    assert new.lower().endswith(ending)
    assert new.removesuffix(ending) in language("de").places.hospital_stems


@SEEDS
def test_a_direction_of_an_english_street_stays(seed: int) -> None:
    assert re.fullmatch(r"\d{3} E [A-Z]\w+ St", renamed("123 E Main St", "en", seed))


@SEEDS
def test_a_german_hospital_of_a_saint_is_one_again(seed: int) -> None:
    new = renamed("St.-Elisabeth-Krankenhaus", "de", seed, SurrogateKind.HOSPITAL)
    assert new.split("-")[1] in language("de").places.saint_names


@SEEDS
@pytest.mark.parametrize("street", ["12 W 42nd Street", "42ND ST", "1st Avenue", "111th Road"])
@pytest.mark.parametrize("spoken", ["en", "es", "de"])
def test_the_ending_of_an_ordinal_agrees_with_its_number(
    street: str, spoken: str, seed: int
) -> None:
    new = renamed(street, spoken, seed)
    [(number, ending)] = re.findall(r"(\d+)(st|nd|rd|th)\b", new, re.IGNORECASE)
    teen = len(number) > 1 and number[-2] == "1"
    wanted = "th" if teen else {"1": "st", "2": "nd", "3": "rd"}.get(number[-1], "th")
    assert ending == (wanted.upper() if street.isupper() else wanted), new


@SEEDS
def test_a_hospital_of_the_patients_city_bears_the_name_of_its_surrogate(
    replaced: Callable[..., SurrogatePatient], seed: int
) -> None:
    source = (
        "[Hospital General de Santiago de Compostela|HOSPITAL], "
        "[Santiago de Compostela|CITY]. [Hospital de Reus|HOSPITAL]"
    )
    new = replaced(source, spoken="es", seed=seed)
    hospital, city, other = (each.surrogate for each in new.replacements)
    assert hospital == f"Hospital General de {city}"
    assert city not in other
