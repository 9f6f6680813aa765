"""Numbers, contacts and ages: same format, ranges that nobody has."""

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from random import Random

import phonenumbers
import pytest
from hypothesis import given
from hypothesis import strategies as st
from stdnum import iban, luhn
from stdnum.de import idnr
from stdnum.es import nie

from shared.language.languages import Language, language
from shared.language.sections import Region
from shared.model import PhiType, Span, Tag
from shared.surrogates.mentions import PhiMention
from shared.surrogates.numbers.check_digits import with_check
from shared.surrogates.numbers.contacts import PAGE, Addresses, Phones
from shared.surrogates.numbers.identifiers import NO_NUMBER, Identifiers, fill_format, value_of
from shared.surrogates.surrogate_kinds import SurrogateKind

ENGLISH = language("en")


def spoken_in(country: str) -> Language:
    return replace(ENGLISH, regions={"": Region("", "", country)})


def mention(text: str, before: str = "", record: str = "110-01", number: int = 0) -> PhiMention:
    tag = Tag(Span(0, 1), PhiType("ID", "IDNUM"))
    return PhiMention(number, record, tag, SurrogateKind.NUMBER, text, before, "")


def identifier(text: str, seed: int = 1) -> str:
    return Identifiers([value_of(text)], Random(seed), ENGLISH).surrogate(mention(text)).text


def shape(text: str) -> str:
    return re.sub(r"[a-z]", "a", re.sub(r"[A-Z]", "A", re.sub(r"\d", "9", text)))


@given(st.from_regex(r"[A-Z]{0,3}\d{3,9}([-/ ]\d{1,4}){0,2}[a-z]?", fullmatch=True))
def test_an_identifier_keeps_its_format(text: str) -> None:
    new = identifier(text)
    assert shape(new) == shape(text)
    assert new != text


def test_the_same_value_gets_the_same_surrogate_however_it_is_written() -> None:
    numbers = Identifiers([], Random(1), ENGLISH)
    first = numbers.surrogate(mention("833-12-06-0")).text
    assert value_of(numbers.surrogate(mention("83312060")).text) == value_of(first)


def test_two_values_never_get_one_surrogate() -> None:
    numbers = Identifiers([], Random(1), ENGLISH)
    assert len({numbers.surrogate(mention(f"{n:02}")).text for n in range(10, 60)}) == 50


@pytest.mark.parametrize("text", ["Residente de quinto", "white", ""])
def test_words_are_no_number(text: str) -> None:
    found = Identifiers([], Random(1), ENGLISH).surrogate(mention(text or "-"))
    assert found.reasons == (NO_NUMBER,)
    assert found.text == "[IDNUM]"


@given(st.integers(0, 999999999), st.integers(0, 99))
def test_no_social_security_number_is_one_that_was_given_out(value: int, seed: int) -> None:
    text = f"{value:09}"
    text = f"{text[:3]}-{text[3:5]}-{text[5:]}"
    new = Identifiers([], Random(seed), ENGLISH).social_security(mention(text)).text
    assert re.fullmatch(r"9\d\d-(0[1-9]|[1-4]\d)-\d{4}", new)
    assert new != text


@pytest.mark.parametrize(
    ("old", "spoken", "right"),
    [
        ("1234567893", "en", lambda new: luhn.is_valid("80840" + new)),
        ("X1234567L", "es", nie.is_valid),
        ("4111111111111111", "en", luhn.is_valid),
        (
            "1M8GDM9AXKP042788",
            "en",
            lambda new: with_check("1M8GDM9AXKP042788", new, ["vin"]) == new,
        ),
        ("12345678Z", "es", lambda new: "TRWAGMYFPDXBNJZSQVHLCKE"[int(new[:8]) % 23] == new[-1]),
        ("GB82WEST12345698765432", "en", iban.is_valid),
        ("281234567840", "es", lambda new: int(new[:10]) % 97 == int(new[10:])),
    ],
)
def test_a_right_check_digit_stays_right(
    old: str, spoken: str, right: Callable[[str], bool]
) -> None:
    assert right(old)
    new = Identifiers([old], Random(1), language(spoken)).fresh(old, old)
    assert new != old
    assert right(new)


def test_a_rule_may_be_any_module_of_stdnum() -> None:
    new = with_check("36574261809", "86095742719", ("de.idnr",))
    assert new[:9] == "860957427"
    assert idnr.is_valid(new)
    assert with_check("9434765919", "2111111111", ("gb.nhs",)) != "2111111111"


def test_a_wrong_check_digit_is_not_mended() -> None:
    assert with_check("12345678A", "87654321B", ["es.dni"]) == "87654321B"


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("(617) 726-2000", r"\([2-9]\d\d\) 555-01\d\d"),
        ("617-726-2000", r"[2-9]\d\d-555-01\d\d"),
        ("1-617-726-2000", r"1-[2-9]\d\d-555-01\d\d"),
        ("726-2000", r"555-01\d\d"),
        ("726-2000 x1234", r"555-01\d\d x\d{4}"),
        ("x4-1234", r"x\d-\d{4}"),
        ("pager 12345", r"pager \d{5}"),
    ],
)
def test_telephone_numbers_are_of_ranges_that_nobody_has(text: str, pattern: str) -> None:
    new = Phones([text], Random(1), ENGLISH).surrogate(mention(text)).text
    assert re.fullmatch(pattern, new)
    assert new != text


@pytest.mark.parametrize(
    ("code", "main", "extension"),
    [
        ("en", "617-726-2000", " extension 17"),
        ("es", "917 27 00 83", " extensión 17"),
        ("de", "030 / 4505 120", " Durchwahl 17"),
    ],
)
def test_a_line_has_one_number_with_and_without_its_extension(code, main, extension):
    phones = Phones([main, main + extension], Random(1), language(code))
    alone, extended = (phones.surrogate(mention(each)).text for each in (main, main + extension))
    assert extended.startswith(f"{alone}{extension[:-2]}")


@pytest.mark.parametrize(
    ("text", "country", "pattern"),
    [
        ("917 27 00 83", "ES", r"\d{3} \d\d \d\d \d\d"),
        ("34-607819141", "ES", r"34-\d{9}"),
        ("+34 607 819 141", "US", r"\+34 \d{3} \d{3} \d{3}"),
        ("030 / 4505 120", "DE", r"0[1-9]\d / \d{4} \d{3}"),
        ("0049 171 2345678", "DE", r"0049 [1-9]\d\d \d{7}"),
        ("+44 20 7946 0018", "DE", r"\+44 [1-9]\d \d{4} \d{4}"),
        ("01 42 34 56 78", "FR", r"0[1-9] \d\d \d\d \d\d \d\d"),
    ],
)
def test_numbers_of_any_country_keep_form_and_country_and_nobody_has_them(
    text: str, country: str, pattern: str
) -> None:
    for seed in range(20):
        new = Phones([text], Random(seed), spoken_in(country)).surrogate(mention(text)).text
        assert re.fullmatch(pattern, new)
        assert phonenumbers.is_valid_number(phonenumbers.parse(text, country))
        assert not phonenumbers.is_valid_number(phonenumbers.parse(new, country))


@pytest.mark.parametrize(
    ("text", "country", "pattern"),
    [
        ("00192394555", "DE", r"00[1-9]\d{8}"),
        ("0025814527", "DE", r"00[1-9]\d{7}"),
        ("+49(0)0280796568", "DE", r"\+49\(0\)0[1-9]\d{8}"),
        ("+49 (0) 319641589", "DE", r"\+49 \(0\) [1-9]\d{8}"),
        ("5312-3456", "ES", r"[1-9]\d{3}-\d{4}"),
        ("5550192394", "ES", r"[1-9]\d{9}"),
        ("712 345 6789", "DE", r"[1-9]\d\d \d{3} \d{4}"),
    ],
)
def test_a_number_of_no_plan_keeps_zeros_and_country_and_becomes_none_of_a_plan(
    text: str, country: str, pattern: str
) -> None:
    for seed in range(20):
        new = Phones([text], Random(seed), spoken_in(country)).surrogate(mention(text)).text
        assert re.fullmatch(pattern, new), new
        assert new != text
        with suppress(phonenumbers.NumberParseException):
            assert not phonenumbers.is_valid_number(phonenumbers.parse(new, country))


def test_a_line_is_the_same_with_and_without_area_code() -> None:
    phones = Phones(["617-726-2000", "726-2000", "6-2000"], Random(1), ENGLISH)
    long, line, end = (
        phones.surrogate(mention(text)).text for text in ("617-726-2000", "726-2000", "6-2000")
    )
    assert long.endswith(line)
    assert value_of(line).endswith(value_of(end))


def addresses() -> Addresses:
    return Addresses(lambda letters: letters[::-1], Random(1))


def test_a_mail_address_is_of_an_example_domain() -> None:
    made = addresses()
    new = made.mail(mention("Ann.Lee7@mercy.org")).text
    assert re.fullmatch(r"\w+\.\w+\d@(\w+\.)?example\.org", new)
    assert new == made.mail(mention("Ann.Lee7@mercy.org")).text
    assert "mercy" not in new


@pytest.mark.parametrize(
    ("domains", "forms"),
    [
        (("gmail.com", "hotmail.com"), (r"example\.com", r"\w+\.example\.com")),
        (("yahoo.es", "b.yahoo.es"), (r"\w+\.(?:example|test|invalid)", r"\w+\.\w+\.\w+")),
        (("example.com", "x.example.com"), (r"\w+\.example\.com", r"\w+\.example\.com")),
    ],
)
def test_a_domain_has_as_many_labels_and_is_that_of_nobody_else(
    domains: tuple[str, ...], forms: tuple[str, ...]
) -> None:
    for seed in range(20):
        made = Addresses(str, Random(seed))
        new = [made.domain(each) for each in domains]
        assert all(re.fullmatch(form, each) for form, each in zip(forms, new, strict=True)), new
        assert len({*new, *domains}) == 2 * len(domains)
        assert new == [made.domain(each) for each in domains]


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("https://www.mercy.org/portal?id=7", r"https://www\.example\.org/page"),
        ("www.mercy.org", r"www\.example\.org"),
        ("www.mercy.es", r"www\.\w+\.(?:example|test|invalid)"),
        ("www.a.mercy.es", r"www\.\w+\.\w+\.(?:example|test|invalid)"),
        ("www.health.mercy.org", r"www\.\w+\.example\.org"),
        ("the portal", r"\[IDNUM\]"),
    ],
)
def test_a_page_is_a_placeholder_for_a_person_to_see(text: str, pattern: str) -> None:
    found = addresses().page(mention(text))
    assert re.fullmatch(pattern, found.text)
    assert found.reasons == (PAGE,)


@pytest.mark.parametrize("text", ["10.1.2.3", "fe80::1", "192.0.2.7"])
def test_a_machine_is_of_the_blocks_for_documentation(text: str) -> None:
    new = addresses().machine(mention(text)).text
    assert re.fullmatch(r"(192\.0\.2|198\.51\.100|203\.0\.113)\.\d+|2001:db8::[0-9a-f]+", new)
    assert new != text


@given(st.text("ab1-", max_size=12))
def test_pouring_keeps_the_signs(text: str) -> None:
    assert fill_format(text, value_of(text)) == text
