"""Tagged records released without a project and without a person."""

import json
import re
from pathlib import Path
from random import Random

import pytest

from adjudicator.release.doubt import USUAL_CERTAINTY, DoubtRule, DoubtSettings
from adjudicator.release.source import SurrogateOptions
from adjudicator.release.unattended import (
    UnattendedRelease,
    make_unattended,
    schema_of_records,
)
from adjudicator.release.writing import ReleaseOptions
from shared.consistency.findings import LIKELY
from shared.errors import FileFormatError, RequestError
from shared.formats.base import Record
from shared.formats.corpus import Corpus
from shared.model import Layer, Span, Tag
from shared.surrogates.surrogate_kinds import ReleaseMode
from shared.synthetic import fabricate
from tests.adjudicator.release.sessions import without_digest
from tests.builders import document, marked_up, phi

MASK, HOLD_BACK, KEEP_LIST = DoubtRule
CLEAN = "Record date: [2007-05-09|DATE]\nSeen by Dr. [Petty|DOCTOR], no pain in the knee."


def record(name: str, source: str) -> Record:
    return Record.of(document(source, name), marked_up(source)[1])


def made(
    sources: dict[str, str] | list[Record],
    rule: DoubtRule,
    keep: Path | None = None,
    mode: ReleaseMode = ReleaseMode.SURROGATE,
    cores: int = 1,
    **how: float,
) -> UnattendedRelease:
    records = [record(*each) for each in sources.items()] if isinstance(sources, dict) else sources
    return make_unattended(
        Corpus(tuple(records)),
        schema_of_records(records),
        SurrogateOptions(not_phi=keep, mode=mode, seed=1),
        DoubtSettings(rule, **how),
        cores=cores,
    )


def released(release: UnattendedRelease) -> dict[str, str]:
    documents = (each for one in release.draft.surrogates for each in one.documents)
    return {each.record_id: each.text for each in documents}


def sure(source: str, confidence: dict[str, float], name: str = "110-01") -> Record:
    """A record whose tags on these texts have these confidences."""
    text, tags = marked_up(source)
    return Record.of(
        document(source, name),
        [
            Tag(each.span, each.phi_type, confidence=confidence.get(each.span.text_in(text), 0.99))
            for each in tags
        ],
    )


LEFT = [
    ("Mr. [Holcomb|PATIENT] came. HOLCOMB left.", "holcomb"),
    ("Born [08/14|DATE]/1950, seen [3/4/2007|DATE].", "1950"),
    ("Since [March 3|DATE], 1997 she [walks|OTHER].", "1997"),
    ("Chandran [Powell|PATIENT] came.", "Chandran"),
    ("[Tea|PATIENT]-\nsdale came.", "sdale"),
    ("Record T55-[6897|MEDICALRECORD] of [2007-05-09|DATE].", "T55"),
    ("Lives at 854 [Willow Place|STREET].", "854"),
    ("[Ann Lee|PATIENT], phone 617-555-0143 at home.", "617"),
    ("[Ann Lee|PATIENT], write to ann@lee.example today.", "ann@"),
    ("[Nacida|OTHER] el [3 de mayo|DATE] de 1950 en [Madrid|CITY].", "1950"),
    ("Paciente: [Lucía|PATIENT] Ferrándiz. FERRÁNDIZ vino.", "ferrándiz"),
    ("Patientin [Schönfeld|PATIENT], geb. [12.03.|DATE]1950.", "1950"),
    ("Frau [Schönfeld|PATIENT] kam. Frau Schoenfeld ging.", "schoenfeld"),
    ("Herr [Müller|PATIENT] kam. Müllers Frau ging.", "müller"),
]


@pytest.mark.parametrize(("source", "left"), LEFT)
def test_what_was_left_beside_or_elsewhere_is_masked(source, left):
    release = made({"110-01": source}, MASK)
    assert left.lower() not in "".join(released(release).values()).lower()
    assert release.doubts


@pytest.mark.parametrize(("source", "left"), LEFT)
def test_a_record_in_which_something_was_left_is_held_back_and_the_others_go_out(source, left):
    release = made({"110-01": source, "111-01": CLEAN}, HOLD_BACK)
    assert list(released(release)) == ["111-01"]
    assert list(release.held) == [("110", "110-01")]
    assert not any(left in reason for reasons in release.held.values() for reason in reasons)


@pytest.mark.parametrize("mode", list(ReleaseMode))
@pytest.mark.parametrize("rule", [MASK, HOLD_BACK])
def test_every_mode_of_a_release_can_be_made_without_a_person(rule, mode):
    sources = {f"{number}-01": source for number, (source, _) in enumerate(LEFT, start=110)}
    release = made({**sources, "200-01": CLEAN}, rule, mode=mode)
    text = "".join(released(release).values()).lower()
    for source, left in LEFT:
        if not (left.isdigit() and mode is ReleaseMode.SAFE_HARBOR):  # where years may stay
            assert left.lower() not in text, source
    assert "200-01" in released(release)


def test_several_processes_make_the_same_release_as_one():
    sources = {
        f"{number}-{place:02}": f"Mr. [Holcomb|PATIENT], [3/{place}/2007|DATE]. HOLCOMB left."
        for number in range(110, 140)
        for place in (1, 2)
    }
    one, two = (made(sources, MASK, cores=count) for count in (1, 2))
    assert released(one) == released(two)
    assert one.doubts == two.doubts


def test_the_name_of_a_type_in_a_placeholder_is_no_leak_of_a_tag_that_has_the_word():
    """A recognizer tagged the word before the name; every placeholder of the type has it."""
    sources = {"110-01": "[Patient Boily|DOCTOR] came. Seen: [Ann Lee|PATIENT]. LEE left."}
    release = made(sources, MASK)
    assert not release.held
    assert released(release)["110-01"].endswith("[PATIENT] left.")


def test_a_mask_covers_the_whole_date_number_and_word():
    text = released(made({"110-01": "Born [08/14|DATE]/1950, seen [3/4/2007|DATE]."}, MASK))
    assert text["110-01"].startswith("Born [DATE], seen ")
    text = released(made({"110-01": "Since [March 3|DATE], 1997 she walks."}, MASK))["110-01"]
    assert text.startswith("Since [DATE] she walks")


def test_what_is_found_beside_a_mask_is_masked_in_turn():
    """The name shows that the word beside it is one; only the next look sees that."""
    sources = {"110-01": "[Ada Powell|PATIENT] came.", "110-02": "Dear Chandran POWELL,"}
    text = "".join(released(made(sources, MASK)).values())
    assert "POWELL" not in text
    assert "Chandran" not in text


def test_other_records_tell_what_is_left_and_only_that_record_is_held_back():
    sources = {"110-01": "[Dennis Holcomb|PATIENT] came.", "110-02": "Mr. Holcomb left."}
    release = made(sources, HOLD_BACK)
    assert list(released(release)) == ["110-01"]


def test_a_name_that_a_recognizer_misses_often_does_not_become_a_word_by_that():
    missed = {f"{number}-01": "Brian noted a fever." for number in range(120, 130)}
    tagged = "Team: J. [Pontecorvo|DOCTOR] (resident)[, Brian|DOCTOR]"
    sources = {"110-01": tagged, "110-02": "Left alone.\nBrian noted a fever.", **missed}
    assert "Brian" not in released(made(sources, MASK))["110-02"]


def test_records_that_contradict_each_other_are_all_held_back():
    sources = {"110-01": "[Jordan|PATIENT] came.", "110-02": "He lives in [Jordan|COUNTRY] now."}
    release = made(sources, HOLD_BACK)
    assert not released(release)


def test_suggestions_of_low_confidence_are_doubtful():
    one = sure("[Ann Lee|PATIENT] of [Boston|CITY].", {"Boston": 0.4})
    assert not made([one], HOLD_BACK).doubts
    masked = made([one], MASK, confidence=0.5)
    assert released(masked)["110-01"].endswith(" of [CITY].")
    assert "Ann" not in released(masked)["110-01"]
    assert not released(made([one], HOLD_BACK, confidence=0.5))


def test_a_confidence_that_no_tag_tells_is_refused():
    with pytest.raises(RequestError, match="no tag says how sure"):
        made({"110-01": CLEAN}, MASK, confidence=0.5)


def test_less_certainty_finds_more_of_what_was_missed():
    sources = {"110-01": "[Ann Lee|PATIENT] came. Bloods at clinic 3/26; dental clearance."}
    assert "3/26" in released(made(sources, MASK, certainty=LIKELY))["110-01"]
    assert "3/26" not in released(made(sources, MASK, certainty=0.0))["110-01"]


def test_what_is_less_likely_is_masked_but_holds_no_record_back_unless_asked_for():
    sources = {"110-01": "[Ann Lee|PATIENT] came. Bloods at clinic 3/26; dental clearance."}
    masked = made(sources, MASK)
    assert "3/26" not in released(masked)["110-01"]
    assert masked.facts.as_json()["certainty"] == USUAL_CERTAINTY[MASK] < LIKELY
    assert "3/26" in released(made(sources, HOLD_BACK))["110-01"]
    assert not released(made(sources, HOLD_BACK, certainty=0.2))


def keep_list(tmp_path: Path, *rows: tuple[str, int, int]) -> Path:
    path = tmp_path / "keep.csv"
    lines = [",".join(map(str, row)) for row in rows]
    path.write_text("\n".join(["record,start,end", *lines]) + "\n")
    return path


def test_what_a_person_reviewed_stays_and_the_rest_is_held_back(tmp_path):
    source = "[Petty|DOCTOR] and the Petty score."
    sources = {"110-01": source, "111-01": source}
    at = document(source).text.rindex("Petty")
    release = made(sources, KEEP_LIST, keep_list(tmp_path, ("110-01", at, at + 5)))
    assert list(released(release)) == ["110-01"]
    assert "the Petty score" in released(release)["110-01"]
    assert release.kept == 1


def test_a_tag_on_what_a_person_reviewed_is_none(tmp_path):
    source = "The [Romberg|DOCTOR] sign, [a page|OTHER]."
    rows = [("110-01", each.start, each.end) for each in marked_up(source)[1]]
    release = made({"110-01": source}, KEEP_LIST, keep_list(tmp_path, *rows))
    assert released(release) == {"110-01": "The Romberg sign, a page."}


def test_a_place_that_was_reviewed_clears_no_longer_text_than_itself(tmp_path):
    source = "[Ann Lee|PATIENT] came. Then Ann Lee left."
    at = document(source).text.rindex("Lee")
    release = made({"110-01": source}, KEEP_LIST, keep_list(tmp_path, ("110-01", at, at + 3)))
    assert not released(release)


def test_a_list_of_other_texts_is_refused_and_places_elsewhere_are_counted(tmp_path):
    with pytest.raises(FileFormatError, match="beyond the end of record 110-01"):
        made({"110-01": CLEAN}, KEEP_LIST, keep_list(tmp_path, ("110-01", 2, 4000)))
    release = made({"110-01": CLEAN}, KEEP_LIST, keep_list(tmp_path, ("999-01", 2, 4)))
    assert (release.kept, release.kept_elsewhere) == (0, 1)


def test_a_name_in_the_records_name_is_held_back_unless_there_are_new_ones():
    sources = {"Holcomb-01": "[Dennis Holcomb|PATIENT] came."}
    for rule in (MASK, HOLD_BACK):
        assert not released(made(sources, rule))
    assert released(made(sources, MASK, new_ids=True))


def test_what_cannot_be_read_is_a_failure_and_the_rest_goes_out():
    doc = document(CLEAN, "112-01")
    beyond = Record(doc, (Layer.of("112-01", "", [Tag(Span(0, 900), phi("DATE"))]),))
    two = Record(
        document(CLEAN, "113-01"), (Layer.of("113-01", "ana", []), Layer.of("113-01", "ben", []))
    )
    none = Record(document(CLEAN, "114-01"))
    release = made([record("110-01", CLEAN), beyond, two, none], HOLD_BACK)
    assert list(released(release)) == ["110-01"]
    assert [each.name for each in release.failures] == ["112-01", "113-01", "114-01"]
    assert not any("Petty" in each.reason for each in release.failures)


def test_the_card_says_what_was_done_and_that_nobody_has_read_it(tmp_path):
    untagged = record("112-01", "No pain in the knee.")
    low = sure("[Ann Lee|PATIENT] of [Boston|CITY].", {"Boston": 0.4}, "115-01")
    sources = [record("110-01", CLEAN), low, record("111-01", LEFT[0][0]), untagged]
    release = made(sources, HOLD_BACK, confidence=0.5)
    release.write("Archive", ReleaseOptions(tmp_path / "out"))
    card = (tmp_path / "out" / "data_card.md").read_text()
    assert "No person has read these records" in card
    assert "What no check can know" in card
    assert "Surrogates stand for what was tagged as PHI" not in card
    assert "Left out: 2 records for doubtful places, with them all of 2 patients" in card
    assert "less than 50 % sure" in card
    assert "in which the recognizer tagged nothing: 1" in card
    numbers = json.loads((tmp_path / "out" / "data_card.json").read_text())["unattended"]
    assert (numbers["rule"], numbers["held_records"], numbers["masked"]) == ("hold-back", 2, 0)
    assert numbers["without_confidence"] == 2
    for told in ("Ann", "Boston", "Holcomb", "111-01", "115"):
        assert told not in without_digest(card)


@pytest.mark.parametrize("seed", [3, 4])
def test_a_placeholder_stands_over_every_doubtful_place_and_nowhere_else(seed):
    """As the card says; a share of the tags of fabricated patients is taken out, as if missed."""
    rng = Random(seed)
    records = [
        Record.of(each, [tag for tag in one.gold[each.record_id].tags if rng.random() > 0.15])
        for one in fabricate(5, seed, templates="held-out")
        for each in one.patient.documents
    ]
    release = made(records, MASK, certainty=0.0, new_ids=True)
    masks = [place for each in release.settled.values() for place in each.masks]
    assert len(release.doubts) > 20
    for doubt in release.doubts:
        start, end = doubt.span
        assert any(
            doubt.record_id == record_id and span.start <= start and end <= span.end
            for record_id, span in masks
        )
    covered = [
        each
        for one in release.draft.surrogates
        for each in one.replacements
        if (each.record_id, each.tag.span) in masks
    ]
    assert len(covered) == len(masks) == release.facts.masked
    for each in covered:
        text = released(release)[each.record_id]
        assert each.span.text_in(text) == f"[{each.tag.phi_type.name}]"


def test_the_card_counts_the_masks_of_what_goes_out(tmp_path):
    release = made({"110-01": LEFT[0][0], "Powell-01": "[Ada Powell|PATIENT] and POWELL."}, MASK)
    release.write("Archive", ReleaseOptions(tmp_path / "out"))
    assert sorted(each.stem for each in (tmp_path / "out" / "text").iterdir()) == ["110-01"]
    card = (tmp_path / "out" / "data_card.md").read_text()
    assert "Places with a placeholder instead of a surrogate: 1." in card


@pytest.mark.parametrize("rule", [MASK, HOLD_BACK])
def test_nothing_that_was_tagged_stands_anywhere_in_what_goes_out(rule):
    """Names of many forms, each missed somewhere; none may be in any record that is released."""
    names = ["Teasdale", "O'Hallaran", "Núñez", "Ferrán-\ndiz", "Okafor", "d'Arcy"]
    sources: dict[str, str] = {}
    for number, name in enumerate(names, start=110):
        flat = name.replace("-\n", "")
        sources[f"{number}-01"] = f"Seen: Greta [{flat}|PATIENT], [2007-05-09|DATE]."
        sources[f"{number}-02"] = f"Mrs. {name} came; {flat.upper()} and {flat}'s son, 2007-05-09."
    text = "\n".join(released(made(sources, rule)).values())
    for name in names:
        assert not re.search(name.replace("-\n", "[-\n]*"), text, re.IGNORECASE)
    assert "Greta" not in text
    assert "2007-05-09" not in text


def keyed(
    *sources: str, key: Path, rule: DoubtRule = MASK, mode: ReleaseMode = ReleaseMode.KEYED
) -> UnattendedRelease:
    records = [record(f"110-{n:02}", each) for n, each in enumerate(sources, start=1)]
    options = SurrogateOptions(mode=mode, key=key)
    schema = schema_of_records(records)
    return make_unattended(Corpus(tuple(records)), schema, options, DoubtSettings(rule))


@pytest.fixture
def key(tmp_path) -> Path:
    path = tmp_path / "key"
    path.write_bytes(bytes(range(40)))
    return path


FIRST = (
    "Ms. [Miller|PATIENT] was seen on [03/04/2015|DATE] by Dr. [Petty|DOCTOR] in the clinic. "
    "Annabel is doing well and the knee is better. Dr. [Petty|DOCTOR]"
)
LATER = "[Annabel Miller|PATIENT] was seen on [25/03/2015|DATE] by Dr. [Eva Petty|DOCTOR]."


@pytest.mark.parametrize("mode", [ReleaseMode.KEYED, ReleaseMode.TAGS])
def test_a_leak_that_a_later_record_shows_is_masked_and_the_rest_stays(key, mode):
    (before,) = released(keyed(FIRST, key=key, mode=mode)).values()
    after = released(keyed(FIRST, LATER, key=key, mode=mode))["110-01"]
    assert "Annabel" in before
    assert after == before.replace("Annabel", "[PATIENT]")


def test_a_leak_that_a_later_record_shows_holds_an_earlier_one_back(key):
    assert released(keyed(FIRST, key=key, rule=HOLD_BACK))
    assert "110-01" not in released(keyed(FIRST, LATER, key=key, rule=HOLD_BACK))


@pytest.mark.parametrize("mode", [ReleaseMode.KEYED, ReleaseMode.TAGS])
def test_a_mask_over_a_tag_changes_no_other_placeholder(key, mode):
    source = "[Anna Miller|PATIENT], [Bob Cole|PATIENT], [Miller|PATIENT] is well"
    (whole,) = released(keyed(source, key=key, mode=mode)).values()
    one = sure(source, {"Anna Miller": 0.1})
    options = SurrogateOptions(mode=mode, key=key)
    doubts = DoubtSettings(MASK, confidence=0.5)
    masked = make_unattended(Corpus((one,)), schema_of_records([one]), options, doubts)
    assert list(released(masked).values()) == [f"[PATIENT]{whole[whole.index(']') + 1 :]}"]


@pytest.mark.parametrize(
    "first",
    ["[Miller|PATIENT], [03/04/2015|DATE]", "El paciente [Gil|PATIENT] es de la [Eva|CITY]"],
)
def test_the_language_of_later_records_changes_no_pseudonym(key, first):
    spanish = "La paciente [Noa Gil Vals|PATIENT] no refiere dolor y se va de alta con la familia."
    (before,) = released(keyed(first, key=key)).values()
    assert released(keyed(first, spanish, spanish, key=key))["110-01"] == before
