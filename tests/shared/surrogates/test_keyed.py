"""Pseudonyms made with a key, and the originals put back by the map."""

import re
from random import Random

import pytest

from shared.errors import RequestError
from shared.language.languages import language
from shared.model.i2b2_2014 import I2B2_2014
from shared.surrogates.key_map import decrypted_map, encrypted_map
from shared.surrogates.leak_check import LeakRules
from shared.surrogates.replacement import replace_patient, replace_without_collisions
from shared.surrogates.restoring import restored
from shared.surrogates.surrogate_kinds import ReleaseMode, SurrogateSettings, kinds_of
from tests.builders import document, patient
from tests.shared.surrogates.conftest import gold_of

MODE = {"mode": ReleaseMode.KEYED}
KEY = b"a key that nobody can ever guess"
PASSPHRASE = "a long passphrase"  # noqa: S105  it opens nothing
SOURCES = (
    "An [80|AGE] year old, [Dennis Holcomb|PATIENT], seen at the [Mercy Hospital|HOSPITAL] on "
    "[March 3, 2010|DATE].\n[Holcomb|PATIENT] \U0001f642 [3/3/2010|DATE]",
    "No PHI here.",
    "[Dr. Petty|DOCTOR][5/9|DATE]\u0301 é [Ångström|CITY]\ud800 a [12|AGE]",
)


def settings(spoken: str = "en", **how: object) -> SurrogateSettings:
    return SurrogateSettings(kinds_of(I2B2_2014), language(spoken), **MODE, **how)


def released(*sources: str, seed: int = 1, patient_id: str = "110", **how: object):
    one = patient(*sources, patient_id=patient_id)
    gold = gold_of(*sources, patient_id=patient_id)
    return replace_patient(one, gold, settings(**how), Random(seed))


def pseudonyms(*sources: str, **how: object) -> list[str]:
    return [each.surrogate for each in released(*sources, **how).replacements]


@pytest.mark.parametrize(
    ("spoken", "first", "other"),
    [
        ("en", "[Dennis Holcomb|PATIENT]", "Mr. [Holcomb|PATIENT]"),
        ("es", "[3 de abril de 2010|DATE]", "[03/04/2010|DATE]"),
        ("de", "[Vincenzo Rohleder|DOCTOR]", "gez. [VR|DOCTOR]"),
    ],
)
def test_the_same_has_the_same_pseudonym(spoken, first, other):
    one, two = pseudonyms(f"{first} here.", f"{other} there.", spoken=spoken)
    assert one == two
    assert re.fullmatch(r"\[[A-Z]+-[B-DF-HJ-NP-TV-XZ]{10}\]", one)


def test_two_have_two():
    one, two = pseudonyms("[Ann Lee|PATIENT] and [Bob Moss|PATIENT]")
    assert one != two


def test_pseudonyms_of_two_patients_cannot_be_told_to_mean_the_same():
    text = "Dr. [Petty|DOCTOR]"
    assert pseudonyms(text, seed=1) != pseudonyms(text, seed=2)


def test_with_the_same_key_they_can():
    first = pseudonyms("Dr. [Eva Petty|DOCTOR]", seed=1, key=KEY)
    others = "[Ann Lee|PATIENT]; Dr. [Petty|DOCTOR], [Eva Petty|DOCTOR]"
    second = pseudonyms(others, seed=2, patient_id="111", key=KEY)
    assert first == second[1:2] == second[2:]
    assert first != pseudonyms("Dr. [Eva Petty|DOCTOR]", key=KEY[::-1])


@pytest.mark.parametrize(
    ("spoken", "source", "left"),
    [
        ("en", "[Dennis Holcomb|PATIENT] and Holcomb.", "Holcomb"),
        ("en", "Seen [March 3, 2010|DATE]. Again in 2010.", "2010"),
        ("es", "[Ana Ruiz Gil|PATIENT], hija de Ruiz.", "Ruiz"),
        ("de", "[Ilse Sommerfeld|PATIENT], Frau Sommerfeld.", "Sommerfeld"),
    ],
)
def test_what_is_left_of_a_spoilt_gold_standard_is_a_leak(spoken, source, left):
    rules = LeakRules(language(spoken))
    one, gold = patient(source), gold_of(source)
    new, found = replace_without_collisions(one, gold, settings(spoken), rules, Random)
    texts = [each.span.text_in(new.documents[0].text) for each in found if each.span]
    assert left in texts


def opened(tmp_path, new, new_ids=None):
    texts = {f"110-{n:02}": document(each).text for n, each in enumerate(SOURCES, start=1)}
    data = encrypted_map([new], new_ids or {}, PASSPHRASE, texts)
    assert b"Holcomb" not in data
    return decrypted_map(data, tmp_path, PASSPHRASE)


def test_the_map_leads_back_to_every_letter(tmp_path):
    new = released(*SOURCES)
    texts = {each.record_id: each.text for each in new.documents}
    back = restored(texts, opened(tmp_path, new))
    assert back == {f"110-{n:02}": document(each).text for n, each in enumerate(SOURCES, start=1)}
    assert back != texts


def test_records_with_new_names_get_their_own_back(tmp_path):
    new = released(*SOURCES)
    names = {"110-01": "71-01", "110-02": "71-02", "110-03": "71-03"}
    texts = {names[each.record_id]: each.text for each in new.documents}
    back = restored(texts, opened(tmp_path, new, names))
    assert back["110-01"] == document(SOURCES[0]).text
    assert set(back) == {"110-01", "71-02", "110-03"}


@pytest.mark.parametrize("spoil", [lambda text: f" {text}", lambda text: f"{text}!"])
def test_a_record_that_was_changed_is_refused(tmp_path, spoil):
    new = released(*SOURCES)
    texts = {each.record_id: each.text for each in new.documents}
    texts["110-03"] = spoil(texts["110-03"])
    with pytest.raises(RequestError, match="110-03 is not as it was released"):
        restored(texts, opened(tmp_path, new))


def test_a_release_without_a_record_of_the_map_is_refused(tmp_path):
    new = released(*SOURCES)
    texts = {each.record_id: each.text for each in new.documents[1:]}
    with pytest.raises(RequestError, match="110-01 of the map is not in the release"):
        restored(texts, opened(tmp_path, new))


def test_the_map_of_surrogates_says_where_it_does_not_lead_back_to_every_letter(tmp_path):
    one, gold = (
        patient("Of an [aunt of Erie|CITY], [80|AGE]."),
        gold_of("Of an [aunt of Erie|CITY]."),
    )
    own = SurrogateSettings(kinds_of(I2B2_2014), language("en"))
    new = replace_patient(one, gold, own, Random(3))
    texts = {"110-01": new.documents[0].text}
    rows = decrypted_map(encrypted_map([new], {}, PASSPHRASE, {}), tmp_path, PASSPHRASE)
    with pytest.raises(RequestError, match="not to every letter"):
        restored(texts, rows)


@pytest.mark.parametrize(
    "later",
    [
        "[Holcomb, Dennis R.|PATIENT] came again",
        "[Mercy Hospital of Cedar Falls|HOSPITAL]",
        "on [March 3, 2010|DATE]",
        "[Chidi Petty|DOCTOR] signs",
    ],
)
def test_a_record_that_comes_later_changes_nothing_of_those_before(later):
    sources = ("[Dennis Holcomb|PATIENT] on [3/3/2010|DATE] at [Mercy Hospital|HOSPITAL]",
               "[Holcomb|PATIENT], for Dr. [Petty|DOCTOR]")  # fmt: skip
    before = released(*sources, key=KEY)
    after = released(*sources, later, key=KEY, seed=2)
    assert [each.text for each in after.documents][:2] == [each.text for each in before.documents]
