"""A whole patient: figure 3 of the paper, choices, overlapping tags, odd records."""

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from shared.errors import ModelError
from shared.language.languages import language
from shared.model import Layer, Span, Tag
from shared.model.i2b2_2014 import I2B2_2014
from shared.surrogates.drawing import KeyedRandom
from shared.surrogates.mentions import SurrogatePatient
from shared.surrogates.places.other_details import DETAIL
from shared.surrogates.replacement import replace_patient
from shared.surrogates.surrogate_kinds import ManualSurrogate, SurrogateSettings, kinds_of
from tests.builders import patient, phi

Replaced = Callable[..., SurrogatePatient]
SETTINGS = SurrogateSettings(kinds_of(I2B2_2014), language("en"))
FIGURE = """Record date: [2007-05-09|DATE]

      [GREEN HOSPITAL|HOSPITAL] EMERGENCY DEPT VISIT

[HOLCOMB,DENNIS|PATIENT]
[833-12-06-0|MEDICALRECORD]
VISIT DATE: [05/09/07|DATE]
Dr. [Petty|DOCTOR]: a [53|AGE]-year-old, follow-up on [May 20th|DATE]
[PY989/54741|IDNUM]
[KATHLEEN IRELAND|DOCTOR], M.D.
[KI30|USERNAME]
D:[05/09/07|DATE]
T:[05/10/07|DATE]
Dictated by: [KATHLEEN IRELAND|DOCTOR], M.D.
[KI30|USERNAME]
"""


@pytest.mark.parametrize("seed", range(10))
def test_the_record_of_the_papers_figure(replaced: Replaced, seed: int) -> None:
    new = [each.surrogate for each in replaced(FIGURE, seed=seed).replacements]
    day, hospital, name, mrn, visit, petty, age, follow, number, doctor, user, d, t, again, u = new
    year, month, number_of_day = day.split("-")
    assert visit == d == f"{month}/{number_of_day}/{year[2:]}"
    assert t != d
    assert hospital.isupper()
    assert hospital.endswith(" HOSPITAL")
    assert name.isupper()
    assert name.count(",") == 1
    assert [len(part) for part in mrn.split("-")] == [3, 2, 2, 1]
    assert petty.istitle()
    assert age == "53"
    assert follow[-2:] in {"st", "nd", "rd", "th"}
    assert [len(part) for part in number.split("/")] == [5, 5]
    assert doctor == again
    assert user == u
    assert user[:2] == "".join(word[0] for word in doctor.split())
    assert not any(each.reasons for each in replaced(FIGURE, seed=seed).replacements)


def test_tags_hold_the_surrogates_at_their_new_places(replaced: Replaced) -> None:
    new = replaced(FIGURE)
    text = new.documents[0].text
    tags = new.layers["110-01"].tags
    assert [tag.span.text_in(text) for tag in tags] == [each.surrogate for each in new.replacements]
    assert [tag.span for tag in tags] == [each.span for each in new.replacements]


def test_comments_and_unknown_parts_stay_behind() -> None:
    one = patient("Ann")
    tag = Tag(Span(0, 3), next(I2B2_2014.types()).phi_type, comment="Ann", attributes=(("n", "A"),))
    gold = {"110-01": Layer.of("110-01", "gold", [tag], ["<NOTE>Ann</NOTE>"])}
    new = replace_patient(one, gold, SETTINGS, Random(1)).layers["110-01"]
    assert new.unknown == ()
    assert (new.tags[0].comment, new.tags[0].attributes) == ("", ())


def test_the_longest_of_overlapping_tags_is_replaced() -> None:
    one = patient("Ann Mary Lee Smith")
    kind = next(I2B2_2014.types()).phi_type
    spans = [Span(0, 8), Span(4, 18), Span(9, 12)]
    gold = {"110-01": Layer.of("110-01", "gold", [Tag(span, kind) for span in spans])}
    new = replace_patient(one, gold, SETTINGS, Random(1))
    assert [each.original for each in new.replacements] == ["Mary Lee Smith"]
    assert sorted(tag.span for _, tag in new.dropped) == [spans[0], spans[2]]
    assert new.documents[0].text.startswith("Ann ")


def test_a_record_without_gold_is_refused() -> None:
    with pytest.raises(ModelError, match="110-01"):
        replace_patient(patient("x"), {}, SETTINGS, Random(1))


def test_a_tag_outside_its_record_is_refused() -> None:
    tag = Tag(Span(0, 30), next(I2B2_2014.types()).phi_type)
    with pytest.raises(ModelError, match="outside"):
        replace_patient(
            patient("x"), {"110-01": Layer.of("110-01", "gold", [tag])}, SETTINGS, Random(1)
        )


def test_a_choice_for_one_and_one_for_all_alike(replaced: Replaced) -> None:
    source = "[Petty|DOCTOR], [Petty|DOCTOR], [Petty|PATIENT], [PETTY|DOCTOR]"
    choices = (
        ManualSurrogate("110-01", Span(0, 5), "Naylor", same_text=True),
        ManualSurrogate("110-01", Span(7, 12), "Cook"),
        ManualSurrogate("110-09", Span(0, 5), "Nobody"),
    )
    new = replaced(source, choices=choices).replacements
    assert [each.surrogate for each in new[:2]] == ["Naylor", "Cook"]
    assert [each.chosen for each in new] == [True, True, False, False]


def test_the_review_begins_with_what_needs_a_person(replaced: Replaced) -> None:
    new = replaced("[Petty|DOCTOR] [sings in the choir|OTHER] [5/9|DATE]")
    assert new.review[0].reasons == (DETAIL,)
    assert len(new.review) == 3


def test_a_patient_without_tags_stays_as_it_is(replaced: Replaced) -> None:
    new = replaced("Nothing here.\x0c \U0001f600 \ud800 \u202e", "")
    assert [each.text for each in new.documents] == [
        "Nothing here.\x0c \U0001f600 \ud800 \u202e", "",
    ]  # fmt: skip


@given(st.lists(st.text(min_size=1, max_size=15), min_size=1, max_size=4), st.integers(0, 20))
@example(["0", "\r"], 12)
def test_every_type_takes_any_text(texts: list[str], first: int) -> None:
    types = [each.phi_type for each in I2B2_2014.types()]
    text, tags = "", list[Tag]()
    for number, each in enumerate(texts):
        clean = each.replace("\r", " ")
        text += " "
        span = Span(len(text), len(text) + len(clean))
        tags.append(Tag(span, types[(first + number) % len(types)]))
        text += clean
    one = patient("x")
    document = one.documents[0].__class__("110-01", "110", text)
    one = one.__class__("110", (document,))
    new = replace_patient(
        one, {"110-01": Layer.of("110-01", "gold", tags)}, SETTINGS, Random(first)
    )
    assert all(each.surrogate for each in new.replacements)


def test_the_same_secret_gives_the_same_surrogates_and_another_gives_others() -> None:
    one, two, other = (KeyedRandom(secret, "110") for secret in (b"a", b"a", b"b"))
    numbers = [one.random() for _ in range(5000)]
    assert numbers == [two.random() for _ in range(5000)]
    assert numbers[0] != other.random()
    assert 0.48 < sum(numbers) / 5000 < 0.52
    assert {one.getrandbits(3) for _ in range(200)} == set(range(8))


def test_ids_and_comments_of_tags_stay_behind_for_they_may_hold_phi() -> None:
    source = patient("seen by Ann Lee")
    tag = Tag(
        Span(8, 15), phi("DOCTOR"), "Ann-Lee-1", comment="Ann Lee", attributes=(("x", "Lee"),)
    )
    gold = {"110-01": Layer.of("110-01", "gold", [tag], ['<META name="Ann Lee"/>'])}
    (released,) = replace_patient(source, gold, SETTINGS, Random(1)).layers.values()
    assert "Lee" not in repr(released)
    assert [each.id for each in released.tags] == ["P0"]
