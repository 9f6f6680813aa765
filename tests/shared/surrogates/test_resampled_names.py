"""Names of which each mention may be drawn anew."""

from collections import Counter

import pytest

from shared.language.languages import language
from shared.language.name_lists import name_lists

ENGLISH = "Mrs. [Rachel Petty|PATIENT] came. "
AGAIN = "[Petty|PATIENT] slept. [Rachel|PATIENT] ate. Seen by Dr. [Noah Quigley|DOCTOR]. "


def test_a_mention_has_a_name_of_its_own_about_as_often_as_is_said(surrogates):
    """Of 300 mentions with the same text, those that do not have its usual surrogate."""
    text = "Dr. [Petty|DOCTOR]. " * 300
    for probability in (0.2, 0.5, 0.8):
        found = Counter(surrogates(text, resample=probability))
        (_, usual), *_ = found.most_common()
        assert abs((300 - usual) / 300 - probability) < 0.1


def test_with_certainty_each_has_one_and_without_a_word_none(surrogates):
    text = "Dr. [Petty|DOCTOR]. " * 30
    assert len(set(surrogates(text))) == 1
    assert len(set(surrogates(text, resample=1.0))) > 20


def test_the_same_secret_gives_the_same_names(surrogates):
    text = (ENGLISH + AGAIN) * 4
    assert surrogates(text, resample=0.5, seed=3) == surrogates(text, resample=0.5, seed=3)
    assert surrogates(text, resample=0.5, seed=3) != surrogates(text, resample=0.5, seed=4)


def test_consistent_names_are_as_they_were(surrogates):
    text = (ENGLISH + AGAIN) * 2
    assert surrogates(text) == surrogates(text, resample=0.0)


@pytest.mark.parametrize(
    ("spoken", "source", "sex"),
    [
        ("en", "His wife, [Alexis|PATIENT], came. Later [Alexis|PATIENT] left.", "F"),
        ("en", "His brother, [Alexis|PATIENT], came. Later [Alexis|PATIENT] left.", "M"),
        ("es", "Su mujer, [Trinidad|PATIENT], vino. Luego [Trinidad|PATIENT] salió.", "F"),
        ("de", "Seine Frau [Robin|PATIENT] kam. Dann ging [Robin|PATIENT].", "F"),
    ],
)
def test_the_sex_stays_where_one_mention_alone_tells_it(surrogates, spoken, source, sex):
    sexes = name_lists(language(spoken)).given_sexes
    for seed in range(12):
        for name in surrogates(source, spoken=spoken, resample=1.0, seed=seed):
            assert sexes.get(name.lower(), sex) in (sex, ""), name


def test_the_form_of_a_name_stays(surrogates):
    source = "[PETTY, RACHEL|PATIENT], [R. Petty|PATIENT], Dr. [van der Berg|DOCTOR]"
    upper, short, particles = surrogates(source, resample=1.0)
    assert upper.isupper()
    assert ", " in upper
    assert short[1:3] == ". "
    assert particles.startswith("van der ")


def test_mentions_of_one_person_are_still_listed_as_such(replaced):
    new = replaced("Dr. [Eva Petty|DOCTOR], then [Petty|DOCTOR].", resample=1.0)
    one, two = new.replacements
    assert one.group == two.group
    assert one.surrogate.split()[1] != two.surrogate
