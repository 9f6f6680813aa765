"""Relatives: a word for one stays, a name in what was tagged as one does not."""

from random import Random

import pytest

from shared.language.languages import language
from shared.model import Tag
from shared.model.i2b2_2014 import I2B2_2014
from shared.surrogates.leak_check import LeakRules, find_leaks
from shared.surrogates.mentions import SurrogatePatient
from shared.surrogates.replacement import replace_patient
from shared.surrogates.surrogate_kinds import SurrogateKind, SurrogateSettings, kinds_of
from tests.builders import patient
from tests.shared.surrogates.conftest import gold_of

RELATIVES = kinds_of(I2B2_2014, {"OTHER": SurrogateKind.RELATIVE})


def replaced(source: str, spoken: str, seed: int = 1) -> SurrogatePatient:
    settings = SurrogateSettings(RELATIVES, language(spoken))
    return replace_patient(patient(source), gold_of(source), settings, Random(seed))


def surrogates(source: str, spoken: str) -> list[str]:
    return [each.surrogate for each in replaced(source, spoken).replacements]


@pytest.mark.parametrize(
    ("spoken", "text"),
    [
        ("es", "madre"),
        ("es", "Tío materno"),
        ("es", "dos hijas"),
        ("es", "hermano varón"),
        ("es", "hijo mediano (21 años)"),
        ("es", "Hijo de una prima hermana de su pareja"),
        ("es", "cinco hermanos varones"),
        ("en", "mother"),
        ("en", "two older brothers"),
        ("en", "his maternal aunt"),
        ("en", "sister (59 years old)"),
        ("de", "Mutter"),
        ("de", "ältere Schwester"),
        ("de", "zwei Brüder"),
    ],
)
def test_a_word_for_a_relative_stays_and_is_no_leak(spoken: str, text: str) -> None:
    source = f"x [{text}|OTHER] y"
    new = replaced(source, spoken)
    assert [each.surrogate for each in new.replacements] == [text]
    assert find_leaks(new, gold_of(source), LeakRules(language(spoken))) == ()


@pytest.mark.parametrize(
    ("spoken", "text", "expected"),
    [
        ("es", "padre de 92 años", "padre"),
        ("en", "mother '64", "mother"),
        ("en", "mother in 64", "mother"),
        ("es", "madre, enfermera", "madre"),
        ("es", "Primo de rama desconocida", "Primo"),
        ("es", "abuela fallecida a los noventa y tres años", "abuela"),
        ("es", "una amistad", "familiar"),
        ("en", "brother, who plays for a famous team", "brother"),
        ("en", "97-year-old grandmother", "grandmother"),
        ("de", "Mutter, 93 Jahre alt", "Mutter"),
    ],
)
def test_what_says_more_is_left_out(spoken: str, text: str, expected: str) -> None:
    assert surrogates(f"x [{text}|OTHER] y", spoken) == [expected]


@pytest.mark.parametrize(
    ("spoken", "text", "kept", "names"),
    [
        ("es", "madre Teresa Rodriguez", "madre ", ("Teresa", "Rodriguez")),
        ("es", "padres Ana Vidal y Juan Garrido", "padres ", ("Ana", "Vidal", "Juan", "Garrido")),
        ("es", "Diego Maldonado Jimenez", "", ("Diego", "Maldonado", "Jimenez")),
        ("en", "his wife Alexis", "his wife ", ("Alexis",)),
        ("en", "Teresa", "", ("Teresa",)),
        ("de", "Tochter Annelore", "", ("Annelore",)),
    ],
)
def test_a_name_of_a_relative_is_replaced_as_one(
    spoken: str, text: str, kept: str, names: tuple[str, ...]
) -> None:
    for seed in range(5):
        new = replaced(f"x [{text}|OTHER] y", spoken, seed)
        (only,) = new.replacements
        assert only.kind is SurrogateKind.PERSON
        assert only.surrogate.startswith(kept)
        assert len(only.surrogate.split()) == len(text.split())
        assert not set(names) & set(only.surrogate.split())


def test_the_name_of_a_relative_is_looked_for_elsewhere() -> None:
    source = "su [madre Teresa Rodriguez|OTHER] vino. La madre, Rodriguez, espera."
    new = replaced(source, "es")
    found = find_leaks(new, gold_of(source), LeakRules(language("es")))
    texts = [each.span.text_in(new.documents[0].text) for each in found if each.span]
    assert texts == ["Rodriguez"]


def test_the_same_person_has_the_same_name_as_a_relative_and_elsewhere() -> None:
    source = "[Teresa Rodriguez|PATIENT] y su [madre Ana Rodriguez|OTHER]."
    person, kin = (each.surrogate for each in replaced(source, "es").replacements)
    assert kin.split()[-1] == person.split()[-1]


def test_tags_keep_their_type() -> None:
    source = "su [madre Teresa|OTHER] vino"
    tags: tuple[Tag, ...] = replaced(source, "es").layers["110-01"].tags
    assert [tag.phi_type.name for tag in tags] == ["OTHER"]
