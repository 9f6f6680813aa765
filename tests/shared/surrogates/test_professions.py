"""Professions: of women where women's stood."""

from collections.abc import Callable

import pytest

from shared.language.languages import language
from shared.surrogates.places.other_details import _jobs

SEEDS = pytest.mark.parametrize("seed", range(6))


@SEEDS
@pytest.mark.parametrize(
    ("spoken", "job", "whose"),
    [
        ("de", "Bauingenieurin", "women"),
        ("de", "Krankenschwester", "women"),
        ("de", "Bürokauffrau", "women"),
        ("de", "Hebamme", "women"),
        ("de", "Bauingenieur", "men"),
        ("de", "Bürokaufmann", "men"),
        ("de", "Zimmermann", "men"),
        ("es", "enfermera", "women"),
        ("es", "ganadero", "men"),
        ("es", "sastre", "men"),
        ("es", "modista", "women"),
    ],
)
def test_a_profession_is_a_womans_where_a_womans_stood(
    surrogates: Callable[..., list[str]], spoken: str, job: str, whose: str, seed: int
) -> None:
    (new,) = surrogates(f"x [{job}|PROFESSION] y", spoken=spoken, seed=seed)
    assert new in language(spoken).professions[whose]


def test_no_profession_has_capitals_for_something_in_small_letters() -> None:
    jobs = _jobs(language("en"), False)
    assert not [each for each in jobs if {"it", "tefl"} & set(each.split())]
    assert "radiation protection practitioner" in jobs
