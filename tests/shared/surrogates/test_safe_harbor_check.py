"""The check of Safe Harbor: released text, spoilt with each of the 18 kinds of identifiers."""

from random import Random

import pytest

from shared.language.languages import language
from shared.model import Span
from shared.model.i2b2_2014 import I2B2_2014
from shared.surrogates import safe_harbor_check as check
from shared.surrogates.leak_check import LeakRules
from shared.surrogates.replacement import replace_without_collisions
from shared.surrogates.surrogate_kinds import (
    ReleaseMode,
    SurrogateKind,
    SurrogateSettings,
    kinds_of,
)
from tests.builders import patient
from tests.shared.surrogates.conftest import gold_of

CLEAN = (
    "Record date: 2081\n[PATIENT-1], MRN: [MEDICALRECORD-1], a 53-year-old nurse of [CITY-1], MA "
    "021, seen in 1997 and at 90+ years. BP 120/80, strength 4/5, T 98.6, WBC 12.4, Na 138, "
    "levothyroxine 100 mcg, HbA1c 7.2 %, NYHA 2/4, Hb 13,4 g/dl, T3N0M0, CD20, 1-0-1. Will "
    "be well. May go. Pain at 8/10. Parkinson's disease. Platelets 250000. Room [ROOM-1]. "
    "Tel. [PHONE-BCDFGHJKLM]."
)
NAMES = {"Dennis Holcomb", "May Parkinson", "Will Li"}


def found(text: str, spoken: str = "en", tags=()) -> dict[str, str]:
    every = check.find_identifiers(text, tags, NAMES, language(spoken))
    return {each.span.text_in(text): each.what for each in every}


def test_a_clean_release_has_none():
    assert found(CLEAN) == {}


@pytest.mark.parametrize(
    ("spoken", "text"),
    [
        ("de", "SpO2 94 %. Im Jahr 2012 war im [HOSPITAL-1] alles gut, von 2011 bis 2012."),
        ("es", "Desde 2012, en 2013 y hasta 2014, paciente de 47 años, PSA 794. España."),
        ("es", "Domicilio: [STREET-1].\nProvincia: Cuenca.\nPaís: España. Edad: 47 Sexo: M."),
    ],
)
def test_what_may_stay_as_the_language_writes_it_is_none(spoken, text):
    assert found(text, spoken) == {}


@pytest.mark.parametrize(
    ("spoilt", "left", "what"),
    [
        ("Mr. Holcomb left.", "Holcomb", check.NAME),
        ("then dennis holcomb left.", "dennis holcomb", check.NAME),
        ("lives at 77 Oak Street,", "77 Oak Street", check.PLACE),
        ("Boston, MA 02114", "02114", check.POSTAL_CODE),
        ("ZIP 02114-1234", "02114-1234", check.POSTAL_CODE),
        ("ZIP code: 036", "036", check.POSTAL_CODE),
        ("seen 3/4/2081 again", "3/4/2081", check.DATE),
        ("seen on 3/4 again", "3/4", check.DATE),
        ("seen 2081 - 03 - 04 again", "2081 - 03 - 04", check.DATE),
        ("seen March 3rd again", "March 3rd", check.DATE),
        ("seen in March 2081 again", "March 2081", check.DATE),
        ("seen in 03/2081 again", "03/2081", check.DATE),
        ("2081-03-04", "2081-03-04", check.DATE),
        ("a 93-year-old", "93", check.AGE),
        ("aged 101", "101", check.AGE),
        ("a ninety-two-year-old", "ninety-two", check.AGE),
        ("call 617-555-0123", "617-555-0123", check.PHONE),
        ("call (617) 555-0123", "(617) 555-0123", check.PHONE),
        ("pager 31377", "31377", check.PHONE),
        ("reach +34 961 555 012", "+34 961 555 012", check.PHONE),
        ("Fax: 648-875-5821", "648-875-5821", check.FAX),
        ("write to a.lee@mercy.example", "a.lee@mercy.example", check.MAIL),
        ("SSN 123-45-6789", "123-45-6789", check.SSN),
        ("MRN: 453-39-84", "453-39-84", check.RECORD),
        ("Policy number: XJ-4471902", "XJ-4471902", check.PLAN),
        ("Account number: 99812-443", "99812-443", check.ACCOUNT),
        ("License no. MD-448812", "MD-448812", check.LICENSE),
        ("DEA AB1234563", "AB1234563", check.LICENSE),
        ("license plate 7ABC 123", "7ABC 123", check.VEHICLE),
        ("VIN 1HGCM82633A004352", "1HGCM82633A004352", check.VEHICLE),
        ("serial number PJN4412098", "PJN4412098", check.DEVICE),
        ("device id 88-1204", "88-1204", check.DEVICE),
        ("see www.mercy.example/p7", "www.mercy.example/p7", check.WEB),
        ("see ourclinic.org for", "ourclinic.org", check.WEB),
        ("from 198.168.2.78 at", "198.168.2.78", check.MACHINE),
        ("from fe80:0:0:0:202:b3ff:fe1e:8329", "fe80:0:0:0:202:b3ff:fe1e:8329", check.MACHINE),
        ("fingerprint no. 20-4411", "20-4411", check.BIOMETRIC),
        ("see IMG_2034.jpg", "IMG_2034.jpg", check.PICTURE),
        ("specimen S05-99812 sent", "S05-99812", check.CODE),
        ("number 88123471 sent", "88123471", check.CODE),
    ],
)
def test_each_kind_is_found_where_a_release_is_spoilt_with_it(spoilt, left, what):
    told = found(f"{CLEAN} {spoilt} and so on.")
    assert any(left in text or text in left for text in told), told
    assert what in told.values()


@pytest.mark.parametrize(
    ("spoken", "spoilt", "what"),
    [
        ("es", "vista el 3 de abril de 1997", check.DATE),
        ("es", "de 93 años de edad", check.AGE),
        ("es", "CP: 28035", check.POSTAL_CODE),
        ("es", "Tel: 961 555 012", check.PHONE),
        ("es", "matrícula 1234 BCD", check.VEHICLE),
        ("es", "huella dactilar nº 20441", check.BIOMETRIC),
        ("es", "NHC: 2569870", check.RECORD),
        ("es", "la Sra. Holcomb", check.NAME),
        ("de", "am 3. April 1997", check.DATE),
        ("de", "die 93-jährige Patientin", check.AGE),
        ("de", "PLZ 35410", check.POSTAL_CODE),
        ("de", "Tel. 0641 99-45012", check.PHONE),
        ("de", "Kennzeichen GI-AB 1234", check.VEHICLE),
        ("de", "Seriennummer 4412098", check.DEVICE),
        ("de", "Fallnummer 3344556", check.RECORD),
        ("de", "Fingerabdruck Nr. 20441", check.BIOMETRIC),
    ],
)
def test_identifiers_are_found_in_the_language_of_the_records(spoken, spoilt, what):
    assert what in found(f"[PATIENT-1] {spoilt}.", spoken).values()


@pytest.mark.parametrize(
    ("kind", "tagged", "what"),
    [
        (SurrogateKind.DATE, "March 1997", check.DATE),
        (SurrogateKind.DATE, "'97", check.DATE),
        (SurrogateKind.AGE, "97", check.AGE),
        (SurrogateKind.ZIP, "0211", check.POSTAL_CODE),
        (SurrogateKind.ZIP, "893", check.POSTAL_CODE),
        (SurrogateKind.TERRITORY, "28035", check.POSTAL_CODE),
        (SurrogateKind.PERSON, "somebody", check.NAME),
        (SurrogateKind.PERSON, "[Holcomb]", check.NAME),
        (SurrogateKind.PERSON, "[HOLCOMB-1]", check.NAME),
        (SurrogateKind.CITY, "somewhere", check.PLACE),
        (SurrogateKind.PROFESSION, "unit 7", check.CODE),
        (SurrogateKind.OTHER, "the tallest man", check.CODE),
        (SurrogateKind.USERNAME, "xy", check.CODE),
    ],
)
def test_a_tag_holds_no_more_than_its_kind_may(kind, tagged, what):
    tag = check.ReleasedTag(Span(0, len(tagged)), kind, "PATIENT")
    every = check.find_identifiers(tagged, [tag], (), language("en"))
    assert what in [each.what for each in every]


@pytest.mark.parametrize(
    ("kind", "tagged"),
    [
        (SurrogateKind.DATE, "1997"),
        (SurrogateKind.DATE, "1997 - 1999"),
        (SurrogateKind.AGE, "90+"),
        (SurrogateKind.AGE, "53 years"),
        (SurrogateKind.ZIP, "021"),
        (SurrogateKind.ZIP, "000"),
        (SurrogateKind.STATE, "MA"),
        (SurrogateKind.COUNTRY, "Canada"),
        (SurrogateKind.PERSON, "[PATIENT-1]"),
        (SurrogateKind.PERSON, "[PATIENT]"),
        (SurrogateKind.KEEP, "F"),
    ],
)
def test_a_tag_may_hold_what_safe_harbor_lets_stay(kind, tagged):
    tag = check.ReleasedTag(Span(0, len(tagged)), kind, "PATIENT")
    assert not check.find_identifiers(tagged, [tag], (), language("en"))


def test_a_year_that_tells_an_age_above_89_is_found():
    text = "Born 1990, father born 1901, seen 2081."
    years = [check.ReleasedTag(Span(at, at + 4), SurrogateKind.DATE, "DATE") for at in (5, 23, 34)]
    every = check.find_identifiers(text, years, (), language("en"))
    assert [(each.span.text_in(text), each.what) for each in every] == [
        ("1990", check.AGE),
        ("1901", check.AGE),
    ]
    assert not check.find_identifiers(text, [years[0]], (), language("en"))


@pytest.mark.parametrize(
    ("spoken", "source"),
    [
        ("en", "A [94|AGE] year old, born [3/4/1917|DATE], seen [5/6/2011|DATE]. 1917, 2011."),
        ("en", "A [54|AGE] year old, DOB [3/4/1917|DATE], seen [5/6/2011|DATE]. 1917, 2011."),
        ("de", "Geb. [3.4.1917|DATE], [94|AGE] Jahre, gesehen [5.6.2011|DATE] (1917, 2011)"),
        ("es", "Nacida [3/4/1917|DATE], [94|AGE] años, vista [5/6/2011|DATE] (1917, 2011)"),
    ],
)
def test_of_years_alone_only_those_are_told_that_were_left_out_of_a_date(spoken, source):
    how = SurrogateSettings(kinds_of(I2B2_2014), language(spoken), mode=ReleaseMode.SAFE_HARBOR)
    rules = LeakRules(language(spoken), years_stay=True)
    new, leaks = replace_without_collisions(patient(source), gold_of(source), how, rules, Random)
    text = new.documents[0].text
    assert [each.span.text_in(text) for each in leaks] == ["1917"]
    assert "94" not in text
