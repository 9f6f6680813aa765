"""Surrogates of a language come from its folder: names, places, calendar and numbers agree."""

import re
from collections.abc import Callable
from pathlib import Path
from random import Random

import phonenumbers
import pytest
from stdnum import iban
from stdnum.es import dni

from shared.language.languages import Language, language, languages_in
from shared.language.name_lists import name_lists
from shared.language.region_lists import names_country
from shared.model.i2b2_2014 import I2B2_2014
from shared.surrogates.leak_check import LeakRules, find_leaks
from shared.surrogates.mentions import SurrogatePatient
from shared.surrogates.replacement import replace_patient
from shared.surrogates.surrogate_kinds import SurrogateSettings, kinds_of
from shared.text.spelling import match_key
from tests.builders import layer, patient

SEEDS = pytest.mark.parametrize("seed", range(6))
Replaced = Callable[..., SurrogatePatient]

LETTER = """[Klinikum Brombachtal|HOSPITAL], [Lindenweg 14|STREET], [35410|ZIP] [Hungen|CITY]
Tel. [06402 / 81234|PHONE], IBAN [DE89370400440532013000|ACCOUNT]

Frau [Dr. Annegret von der Heide|PATIENT], geb. [02.05.1941|DATE], [Lange Straße 7b, 3. OG|STREET],
vom [1. März 2011|DATE] bis zum [14. März 2011|DATE], [Postfach 1234|STREET].
Herr [Prof. Dr. med. Wolfgang Rüther|DOCTOR]: die [polnische|COUNTRY] Patientin aus [Polen|COUNTRY],
seit [1946|DATE] in [Deutschland|COUNTRY], Dialyse [MoMiFr|DATE], am [Montag, dem 4. April|DATE].
Die Mutter wurde [dreiundneunzig|AGE]."""

INFORME = """[Hospital General Universitario|HOSPITAL], [Apartado de Correos 112|STREET]
[28007|ZIP] [Madrid|CITY], [España|COUNTRY]. DNI [12345678Z|IDNUM], Tel. [91 586 80 00|PHONE].
D.ª [María Etxeberria López|PATIENT], [C/ Alcalá 21, 1º E|STREET], [94|AGE] años.
Ingresa el [lunes, 3 de marzo de 2014|DATE], en [Navidad|DATE]. Natural del [Perú|COUNTRY].
El Dr. [Juan Ruiz y Gil|DOCTOR]; una [peruana|COUNTRY] con [noventa y cuatro|AGE] años."""


def texts(new: SurrogatePatient) -> dict[str, str]:
    return {each.original: each.surrogate for each in new.replacements}


def leaks(new: SurrogatePatient, source: str, spoken: Language) -> tuple[object, ...]:
    return find_leaks(new, {"110-01": layer(source, "110-01")}, LeakRules(spoken))


@SEEDS
def test_a_german_letter_stays_german(replaced: Replaced, seed: int) -> None:
    new = replaced(LETTER, spoken="de", seed=seed)
    found, spoken = texts(new), language("de")
    region = next(each for each in spoken.regions.values() if found["Hungen"] in each.cities)
    assert region.country == "DE"
    assert found["35410"] == region.codes[found["Hungen"]]
    assert re.fullmatch(r"[A-ZÄÖÜ][a-zäöü]+weg \d\d", found["Lindenweg 14"])
    assert re.fullmatch(
        r"[A-ZÄÖÜ][a-zäöü]+ Straße \d[a-z], \d\. OG", found["Lange Straße 7b, 3. OG"]
    )
    assert re.fullmatch(r"Postfach \d{4}", found["Postfach 1234"])
    assert re.fullmatch(r"Klinikum (?!Brombachtal)\w+", found["Klinikum Brombachtal"])
    assert iban.is_valid(found["DE89370400440532013000"], check_country=False)
    assert not phonenumbers.is_valid_number(phonenumbers.parse(found["06402 / 81234"], "DE"))
    assert found["Deutschland"] == "Deutschland"
    assert names_country(found["polnische"], spoken) == names_country(found["Polen"], spoken)
    assert found["polnische"] == found["polnische"].lower()
    assert leaks(new, LETTER, spoken) == ()


@SEEDS
def test_german_names_and_dates_keep_their_form(replaced: Replaced, seed: int) -> None:
    found = texts(replaced(LETTER, spoken="de", seed=seed))
    months, days = language("de").dates.months, language("de").dates.weekdays
    assert re.fullmatch(r"Dr\. \w+ von der \w+", found["Dr. Annegret von der Heide"])
    assert re.fullmatch(r"Prof\. Dr\. med\. \w+ \w+", found["Prof. Dr. med. Wolfgang Rüther"])
    assert re.fullmatch(rf"\d+\. ({'|'.join(months)}) \d{{4}}", found["1. März 2011"])
    assert found["Montag, dem 4. April"].split(",")[0] in days
    assert re.fullmatch(r"(Mo|Di|Mi|Do|Fr|Sa|So){3}", found["MoMiFr"])
    assert found["dreiundneunzig"] == "dreiundneunzig" or found["dreiundneunzig"] == "neunzig"


@SEEDS
def test_a_spanish_report_stays_spanish(replaced: Replaced, seed: int) -> None:
    new = replaced(INFORME, spoken="es", seed=seed)
    found, spoken = texts(new), language("es")
    region = spoken.regions[found["28007"][:2]]
    assert found["Madrid"] in region.cities
    assert found["España"] == "España"
    assert re.fullmatch(r"Apartado de Correos \d{3}", found["Apartado de Correos 112"])
    assert re.fullmatch(r"C/ [^\d,]+ \d\d, \dº [A-H]", found["C/ Alcalá 21, 1º E"])
    assert found["Hospital General Universitario"].startswith("Hospital General ")
    assert dni.is_valid(found["12345678Z"])
    assert names_country(found["peruana"], spoken) == names_country(found["Perú"], spoken)
    assert found["94"] == "90"
    assert found["noventa y cuatro"] == "noventa"
    names = name_lists(spoken).at_home
    assert all(match_key(each) in names for each in found["María Etxeberria López"].split())
    assert leaks(new, INFORME, spoken) == ()


def test_an_invented_language_needs_a_folder_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "qx").mkdir()
    (tmp_path / "qx/language.toml").write_text(
        'name = "Quexi"\nfaker = ["fi_FI"]\n[names]\nhonorifics_women = "na"\nparticles = "ou"\n'
        '[dates]\nday_first = true\nmonths = "uno duo tri qua qui sex sep okt nov dek und dod"\n'
        '[places]\nstreet_words = "ulu"\nstreets = ["Kopo", "Lumi", "Tuuli"]\n'
        "[articles]\n",
        encoding="utf-8",
    )
    with languages_in(tmp_path):
        spoken = language("qx")
    source = "Na [Ana ou Ruit|PATIENT], [Kala ulu 12|STREET], [3 tri 2001|DATE], [4 qui 2001|DATE]"
    new = replace_patient(
        patient(source),
        {"110-01": layer(source, "110-01")},
        SurrogateSettings(kinds_of(I2B2_2014), spoken),
        Random(1),
    )
    found = texts(new)
    assert re.fullmatch(r"\w+ ou \w+", found["Ana ou Ruit"])
    assert re.fullmatch(r"(Kopo|Lumi|Tuuli) ulu \d\d", found["Kala ulu 12"])
    assert re.fullmatch(r"\d+ [a-z]{3} \d{4}", found["3 tri 2001"])
    assert leaks(new, source, spoken) == ()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("[00478213|MEDICALRECORD]", "[００４７８２１３|MEDICALRECORD]"),
        ("[0795550167|PHONE]", "[٠٧٩٥٥٥٠١٦٧|PHONE]"),
        ("[أحمد خالد سالم|PATIENT]", "[أَحْمَد خالد سالم|PATIENT]"),
        ("[أحمد سالم|PATIENT]", "[أحمـــد سالم|PATIENT]"),
        ("[أحمد سالم|PATIENT]", "[احمد سالم|PATIENT]"),
    ],
)
def test_what_is_one_text_in_other_digits_or_points_gets_one_surrogate(replaced, leaks, one, other):
    first, second = replaced(one, other, spoken="und").replacements
    assert first.surrogate == second.surrogate
    assert not leaks(one, other)
