"""What the first lines of a record tell of it, and that they are not made to tell more."""

import pytest

from shared.language.languages import language
from shared.language.record_headings import record_day, record_title

EN, ES, DE, UND = map(language, ("en", "es", "de", "und"))


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Record date: 2067-05-03\n\nSeen on 5/9/2066.", "2067-05-03"),
        ("Seen on May 9, 2066.\nRecord date: 2067-05-03", "2067-05-03"),
        ("DATE OF ADMISSION: 10/14/1994     DATE OF DISCHARGE: 10/17/1994", "1994-10-14"),
        ("Max Goodman\nOctober 27, 2009\nDear", "2009-10-27"),
        ("Date of Birth: 1922-01-20   Age: 72\n\nAdmitted 10/14/1994.", "1994-10-14"),
    ],
)
def test_the_day_is_the_labelled_or_the_first_full_date(text, day):
    assert record_day(text, EN) == day


@pytest.mark.parametrize(
    "text",
    ["", "No date here.", "Seen 5/9.", "Seen in May 2067.", "Born 08/19/1938.", "On 5/29/07."],
)
def test_where_no_full_date_stands_no_day_is_told(text):
    assert record_day(text, EN) == ""


@pytest.mark.parametrize("language", [UND, EN], ids=["und", "en"])
@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("出生日期：1962年1月20日\n入院日期：2070年5月1日", "2070-05-01"),
        ("患者出生于1962年1月20日，2070年5月1日入院", "2070-05-01"),
        ("生年月日 1962年1月20日", ""),
        ("تاريخ الميلاد: 20 يناير 1962", ""),
        ("تاريخ الدخول: 1 مايو 2070", "2070-05-01"),
    ],
)
def test_a_day_of_birth_in_another_script_is_no_day_of_a_record(text, day, language):
    assert record_day(text, language) == day


def test_a_date_that_can_be_read_in_two_ways_stays_as_written():
    assert record_day("Seen 02/03/2007.", EN) == "02/03/2007"


def test_other_dates_of_the_record_tell_how_to_read_it():
    assert record_day("Seen 02/03/2007, again 25/03/2007.", EN) == "2007-03-02"


def test_days_are_read_in_the_language_of_the_record():
    assert record_day("Fecha de nacimiento: 10/10/1963.\nFecha: 17 de junio de 2016", ES) == (
        "2016-06-17"
    )
    assert record_day("Patient geb. 01.02.1950, Aufnahme 27. März 2019", DE) == "2019-03-27"


def test_a_long_record_is_looked_at_no_longer_than_a_short_one():
    assert record_day("word " * 1000 + "2067-05-03", EN) == ""


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("GLENWOOD INFIRMARY\nPathology report\n\nAccession: 7", "Pathology report"),
        ("Record date: 2001-09-21\n\n\nDaily Progress Note\nALEJANDRO,BILL", "Daily Progress Note"),
        ("Kai Yamamoto, seen by Dr. Lee on 5/9 in Boston.", ""),
        ("Stonebridge Memorial Hospital\nAdmission Note", "Admission Note"),
        ("Greta Teasdale\nwas well.", ""),
        ("", ""),
    ],
)
def test_the_title_is_the_first_plain_line_with_a_word_of_headings(text, title):
    assert record_title(text, EN) == title


@pytest.mark.parametrize("language", [UND, EN], ids=["und", "en"])
@pytest.mark.parametrize(
    ("text", "hidden", "title"),
    [
        ("江城市第三人民医院\n入院记录\n", (), "江城市第三人民医院"),
        ("江城市第三人民医院\n入院记录\n", [(0, 9)], "入院记录"),
        ("江城市第三人民医院病程记录\n2071", [(0, 9)], "病程记录"),
        ("ملخص خروج\nمستشفى الواحة", (), "ملخص خروج"),
        ("姓名：王小明\n入院记录", (), ""),
    ],
)
def test_a_title_in_a_script_of_which_no_headings_are_known(text, hidden, title, language):
    assert record_title(text, language, hidden) == title


def test_what_is_tagged_is_no_part_of_a_title():
    text = "GREENFIELD HOSPITAL EMERGENCY VISIT\n"
    assert record_title(text, EN, [(0, 19)]) == "EMERGENCY VISIT"
    assert record_title("Consult Note\n", EN, [(0, 12)]) == ""
    assert (
        record_title("Record date: 2067-05-03\nConsult Note:\n", EN, [(13, 23)]) == "Consult Note"
    )


def test_without_known_headings_only_the_very_first_line_may_be_the_title():
    assert record_title("Informe de alta.\nNombre: Ana", UND) == "Informe de alta"
    assert record_title("Nombre: Ana\nInforme de alta", UND) == ""


def test_a_greeting_is_no_title():
    letter = "Diakonissenhaus, 1\n\nHerzliche Grüße\nIhre Adelheid Pohl\nVerlaufsnotiz"
    assert record_title(letter, DE) == "Verlaufsnotiz"
