from dataclasses import replace
from pathlib import Path

import pytest
import tomlkit
from hypothesis import given
from hypothesis import strategies as st

from shared.errors import FileFormatError, NewerVersionError, RequestError
from shared.formats.schema_toml import schema_to_table
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.settings import (
    LearnFrom,
    Policy,
    ProjectSettings,
    SuggestionPolicy,
    check_annotators,
    from_toml,
    to_toml,
    with_staffing,
    with_suggestions,
)
from shared.project.training_rounds import TrainingRound

PATH = Path("tandem.toml")


def table(**changes):
    made = {
        "format_version": 1,
        "title": "T",
        "annotators": ["ana", "ben"],
        "schema": schema_to_table(I2B2_2014),
    }
    return {key: value for key, value in (made | changes).items() if value is not None}


EVERYBODY = SuggestionPolicy({"ana": Policy.ON, "ben": Policy.RULES})


@pytest.mark.parametrize(
    "policy",
    [
        EVERYBODY,
        EVERYBODY.changed("ben", Policy.OFF, "110"),
        replace(EVERYBODY, learn_from=LearnFrom.GOLD),
    ],
)
def test_settings_come_back(policy):
    made = ProjectSettings("Ward 3: «Herz»", I2B2_2014, ("ana", "ben"), policy)
    assert from_toml(to_toml(made), PATH) == made


def test_the_language_comes_back_and_is_left_out_where_the_records_tell():
    made = ProjectSettings("T", I2B2_2014, ("ana", "ben"), EVERYBODY, "de")
    assert from_toml(to_toml(made), PATH) == made
    assert b"language" not in to_toml(replace(made, language="auto"))


def test_that_annotators_see_the_gold_standard_comes_back_and_is_never_so_by_itself():
    made = ProjectSettings("T", I2B2_2014, ("ana", "ben"), EVERYBODY, show_gold_to_annotators=True)
    assert from_toml(to_toml(made), PATH) == made
    hidden = to_toml(replace(made, show_gold_to_annotators=False))
    assert b"gold" not in hidden
    assert not from_toml(hidden, PATH).show_gold_to_annotators


@pytest.mark.parametrize("said", [1, "yes", "true"])
def test_whether_gold_is_shown_has_to_be_said_plainly(said):
    with pytest.raises(FileFormatError, match="show_gold_to_annotators"):
        from_toml(tomlkit.dumps(table(show_gold_to_annotators=said)).encode(), PATH)


def test_an_old_project_has_the_language_of_its_records():
    assert (
        from_toml(to_toml(ProjectSettings("T", I2B2_2014, ("ana", "ben"))), PATH).language == "auto"
    )


@pytest.mark.parametrize("language", [3, "", "../en"])
def test_what_names_no_language_is_refused(language):
    with pytest.raises(FileFormatError, match="write auto or a code such as en"):
        from_toml(tomlkit.dumps(table(language=language)).encode(), PATH)


def test_settings_that_another_editor_saved_with_a_mark_are_read():
    made = ProjectSettings("T", I2B2_2014, ("ana", "ben"), EVERYBODY)
    saved = b"\xef\xbb\xbf" + to_toml(made).replace(b"\n", b"\r\n")
    assert from_toml(saved, PATH) == made
    assert from_toml(with_suggestions(saved, made), PATH) == made


def test_suggestions_are_on_where_nothing_is_said():
    assert policy_in() == SuggestionPolicy()
    assert policy_in().of("ana", "110") is Policy.ON


def test_a_policy_for_a_patient_comes_before_that_for_the_annotator():
    policy = policy_in(ben={"default": "rules", "110": "off"}).of
    assert (policy("ben"), policy("ben", "9"), policy("ben", "110")) == ("rules", "rules", "off")
    assert policy("ana", "110") == "on"


def test_a_policy_for_a_patient_alone_leaves_the_rest_on():
    policy = policy_in(ben={"110": "off"}).of
    assert (policy("ben", "9"), policy("ben", "110")) == ("on", "off")


def test_a_project_of_a_newer_version_is_not_touched():
    with pytest.raises(NewerVersionError, match="has format version 2, this Tandem knows up to 1"):
        from_toml(tomlkit.dumps({"format_version": 2}).encode(), PATH)


def policy_in(**suggestions):
    data = tomlkit.dumps(table(suggestions=suggestions)).encode()
    return from_toml(data, PATH).suggestions


def test_a_model_is_wanted_where_one_patient_has_suggestions():
    policy = policy_in(ana={"default": "off", "110": "on"}, ben="rules")
    assert (policy.ever_on("ana"), policy.ever_on("ben")) == (True, False)


WRITTEN = """\
# Whoever reads this: ask Ana first.
format_version = 1
title = "T" # as on the door
annotators = ["ana", "b.n"]

[schema]
name = "short"
overlaps = true
categories = [{ name = "NAME", key = "1", types = [{ name = "PATIENT" }] }] # one is enough
"""
POLICIES = """
[suggestions]
# Ana has seen enough.
ana = "off" # since May
"""


@pytest.mark.parametrize("written", [WRITTEN, WRITTEN + POLICIES])
def test_another_policy_leaves_what_somebody_wrote_in_the_file(written):
    before = from_toml(written.encode(), PATH)
    policy = SuggestionPolicy({"ana": Policy.ON, "b.n": Policy.RULES}, learn_from=LearnFrom.GOLD)
    after = replace(before, suggestions=policy.changed("b.n", Policy.OFF, "1.10"))
    changed = with_suggestions(written.encode(), after)

    assert from_toml(changed, PATH) == after
    kept = [line for line in written.splitlines() if "off" not in line]
    assert set(kept) <= set(changed.decode().splitlines())
    assert changed.count(b"#") == written.count("#")
    assert with_suggestions(changed, after) == changed


@given(
    st.sets(st.sampled_from(["ana", "b.n"])),
    st.floats(0, 1),
    st.dictionaries(
        st.sampled_from(["ana", "b.n"]),
        st.lists(
            st.builds(
                TrainingRound,
                st.lists(st.sampled_from(["1", "x y", '"']), max_size=3).map(tuple),
                st.floats(0, 1),
                st.booleans(),
            ),
            min_size=1,
            max_size=2,
        ).map(tuple),
    ),
)
def test_who_works_how_is_written_in_place_and_all_else_stays(left, rate, training):
    before = from_toml(WRITTEN.encode(), PATH)
    after = replace(before, left=tuple(sorted(left)), known_answer_rate=rate, training=training)
    changed = with_staffing(WRITTEN.encode(), after)
    assert from_toml(changed, PATH) == after
    assert from_toml(to_toml(after), PATH).training == training
    assert changed.decode().count("#") == WRITTEN.count("#")
    assert with_staffing(changed, after) == changed
    assert from_toml(with_staffing(changed, before), PATH) == before


BROKEN = {
    "has no format_version": table(format_version=None),
    "is not a Tandem project": table(format_version="1"),
    "title is missing": table(title=None),
    "annotators is missing": table(annotators=None),
    "schema is missing": table(schema=None),
    "schema is missing or not what it should be": table(schema="i2b2"),
    "annotators is missing or": table(annotators=2),
    "suggestions is missing or": table(suggestions="on"),
    "needs an annotator or more": table(annotators=[]),
    "categories must be there": table(schema={"name": "x"}),
    "suggestions: cyd must be an annotator": table(suggestions={"cyd": "on"}),
    "suggestions: ana must be": table(suggestions={"ana": "maybe"}),
    "suggestions: ben must be": table(suggestions={"ben": ["on"]}),
    "suggestions: ben, patient 9 must be": table(suggestions={"ben": {"9": "of"}}),
    "learn_from must be": table(learn_from="everybody"),
    'learn_from must be "own"': table(learn_from=["own"]),
    "left must list annotators of": table(left=["cyd"]),
    "left must list annotators": table(left="ana"),
    "known_answer_rate must be a number from 0 to 1": table(known_answer_rate=2),
    "known_answer_rate must be": table(known_answer_rate=True),
    "training is missing or": table(training=1),
    "training: cyd must be": table(training={"cyd": []}),
    "training is not what it should be": table(training={"ana": [{"patients": ["1"]}]}),
    "training is not what it": table(training={"ana": [{"patients": "1", "pass_mark": 0.5}]}),
    "training is not what": table(training={"ana": [{"patients": ["1"], "pass_mark": 1.5}]}),
    "training is not": table(training={"ana": 3}),
}


@pytest.mark.parametrize(("said", "content"), BROKEN.items(), ids=BROKEN)
def test_broken_settings_are_named_in_one_sentence(said, content):
    with pytest.raises(FileFormatError) as caught:
        from_toml(tomlkit.dumps(content).encode(), PATH)
    assert said in str(caught.value)
    assert str(caught.value).startswith("tandem.toml: ")


@pytest.mark.parametrize("data", [b"title = ", b"\xff"])
def test_what_is_no_toml_is_refused(data):
    with pytest.raises(FileFormatError, match="is not a TOML file"):
        from_toml(data, PATH)


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["ana", "b en"], "'b en' cannot be an annotator's name"),
        (["ana", ""], "'' cannot be"),
        (["ana", "../x"], "cannot be"),
        (["ana", ".."], "cannot be"),
        (["ana", "Gold"], "it means the gold standard"),
        (["ana", "ANA"], "two annotators have one name"),
        (["ana"], "two annotators or more"),
    ],
)
def test_names_that_cannot_be_annotators_are_refused(names, said):
    with pytest.raises(RequestError, match=said):
        check_annotators(names)


def test_usual_names_can_be_annotators():
    check_annotators(["ana", "Ben_2", "c.d-e"])
