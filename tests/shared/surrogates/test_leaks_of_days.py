"""An authentic day that stands in a new record in another form than the tagged one."""

import pytest

from shared.language.languages import language
from shared.model import Layer
from shared.surrogates.leak_check import DAY, DIGITS, WHOLE, Leak, LeakRules, find_leaks
from tests.builders import phi
from tests.shared.surrogates.conftest import Replace, gold_of


def found(replaced: Replace, code: str, source: str) -> tuple[Leak, ...]:
    return find_leaks(replaced(source, spoken=code), gold_of(source), LeakRules(language(code)))


@pytest.mark.parametrize(
    ("code", "source", "left"),
    [
        ("en", "on [05/09/2007|DATE], that is May 9", "May 9"),
        ("en", "on [05/09/2007|DATE], that is 9-May", "9-May"),
        ("en", "on [05/09/2007|DATE], that is 5/9/07", "5/9/07"),
        ("en", "on [May 9th|DATE], that is 05/09/07", "05/09/07"),
        ("en", "on [May 9|DATE], that is\nthe 9th of\nMay", "9th of\nMay"),
        ("en", "in [May 2007|DATE], that is May '07", "May '07"),
        ("es", "el [09/05/2007|DATE], es decir, 9 de mayo", "9 de mayo"),
        ("es", "el [9 de mayo de 2007|DATE], 9-5-07", "9-5-07"),
        ("de", "am [09.05.2007|DATE], also am 9. Mai", "9. Mai"),
        ("de", "am [9. Mai 2007|DATE], also 9.5.07", "9.5.07"),
        ("zh", "[2007-05-09|DATE]入院,5月9日出院", "5月9日"),
    ],
)
def test_a_day_in_another_form_is_found(
    replaced: Replace, code: str, source: str, left: str
) -> None:
    leaks = found(replaced, code, source)
    text = replaced(source, spoken=code).documents[0].text
    assert [(each.what, each.span and each.span.text_in(text)) for each in leaks] == [(DAY, left)]
    assert leaks[0].phi_type == phi("DATE")
    assert not leaks[0].in_surrogate


@pytest.mark.parametrize(
    "source",
    [
        "on [05/09/2007|DATE]; strength 5/9, 4/5 on the left",
        "on [05/09/2007|DATE], not on May 10",
        "in [May 2007|DATE], not on May 9",
        "on [May 9|DATE], not in May 2008",
        "on [05/09/2007|DATE] for [May 9|DATE] and [5/9|DATE]",
        "[Ann May|DOCTOR] had 9 of 9",
    ],
)
def test_what_is_no_authentic_day(replaced: Replace, source: str) -> None:
    assert {each.what for each in found(replaced, "en", source)} <= {WHOLE}


def test_a_date_that_is_told_otherwise_is_not_told_twice(replaced: Replace) -> None:
    leaks = found(replaced, "en", "on [05/09/2007|DATE], 05-09-2007, or May 9, 2007")
    assert {each.what for each in leaks} == {WHOLE, DIGITS}


def test_a_day_read_either_way_waits_for_a_person(replaced: Replace) -> None:
    leaks = found(replaced, "en", "on [03/04/2007|DATE], on April 3")
    assert [each.what for each in leaks] == [DAY]


def test_a_gold_standard_without_dates_is_not_searched(replaced: Replace) -> None:
    layers: dict[str, Layer] = gold_of("[Dennis Holcomb|PATIENT] on May 9")
    new = replaced("[Dennis Holcomb|PATIENT] on May 9")
    assert find_leaks(new, layers, LeakRules(language("en"))) == ()
