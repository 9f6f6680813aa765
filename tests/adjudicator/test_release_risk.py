"""A release attacked and learnt from: what comes out, and what is refused."""

import json
from pathlib import Path

import pytest

from adjudicator.release.draft import Draft
from adjudicator.release.held_back import HeldBack, keep_held_back
from adjudicator.release.released import place_in_original, read_made, read_released
from adjudicator.release.source import Source, SurrogateOptions
from adjudicator.release.writing import ReleaseOptions, StoredMap, write_release
from adjudicator.release_risk import ReleaseRisk, date_intervals, places_table, release_risk
from adjudicator.release_statements import attack_statements
from shared.errors import RequestError
from shared.formats.base import Record
from shared.model import Layer, Span
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.project import Project
from shared.project.settings import GOLD
from shared.risk.attack import Attacker
from shared.surrogates.drawing import secret_of_seed
from shared.surrogates.release_modes import MODES
from shared.surrogates.surrogate_kinds import ReleaseMode
from tests.builders import document, marked_up

NAMES = "Holcomb Petty Naylorby Quigley Ransom Sexton Tolbert Underhill Varney Whitlock".split()
LEFT = "Then Mr. Zeller was seen by Dr. Abbott again."
"""Names that no tag covers and no tag tells of."""


def sources(extra: str = "") -> dict[str, str]:
    return {
        f"{number}-0{part}": f"Record date: [2007-0{part}-{number % 28 + 1:02}|DATE]\n"
        f"Mr. [{name}|PATIENT] was seen by Dr. [{NAMES[number % 7]}|DOCTOR] in an old clinic.\n"
        f"Then Mr. [{name}|PATIENT] went home on [2007-0{part + 3}-11|DATE].\n"
        f"{extra if (number, part) == (112, 2) else ''}"
        for number, name in enumerate(NAMES, start=110)
        for part in (1, 2)
    }


def made(root: Path, texts: dict[str, str]) -> Project:
    records = [
        Record.of(document(source, name), marked_up(source)[1]) for name, source in texts.items()
    ]
    return Project.create(
        root / "project", "P", I2B2_2014, records, ("ana", "ben"), 1, import_as=GOLD
    )


def released(root: Path, texts: dict[str, str], **options: object) -> tuple[Project, Path]:
    project, out = made(root, texts), root / "out"
    draft = Draft.make(Source.read(project, SurrogateOptions()), secret_of_seed(3))
    write_release(project, draft, ReleaseOptions(out, accept_unreviewed=True, **options))
    return project, out


def release_of(
    mode: ReleaseMode, root: Path, texts: dict[str, str], resample: float = 0.0
) -> tuple[Project, Path]:
    project, out = made(root, texts), root / "out"
    options = SurrogateOptions(mode=mode, resample=resample)
    draft = Draft.make(Source.read(project, options), secret_of_seed(3))
    kept = StoredMap(root / "map", "a long passphrase") if MODES[mode].needs_map else None
    write_release(project, draft, ReleaseOptions(out, accept_unreviewed=True, kept_map=kept))
    return project, out


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> tuple[Project, Path, ReleaseRisk]:
    project, out = released(tmp_path_factory.mktemp("risk"), sources(LEFT))
    (project.root / "surrogates" / ".learnt-killed").mkdir(parents=True)
    return project, out, release_risk(project, out)


def test_a_leak_in_the_clear_among_surrogates_ranks_at_the_top(measured):
    project, _, found = measured
    first, second = found.places[:2]
    assert {first.text, second.text} == {"Zeller", "Abbott"}
    assert first.suspicion.record_id == "112-02"
    text = project.patient("112").document("112-02").text
    assert first.original is not None
    assert first.original.text_in(text) == first.text


def test_the_table_of_places_names_both_records(measured):
    _, _, found = measured
    table = places_table(found.places, "out").decode().splitlines()
    assert table[0].startswith("rank,confidence,type,text,record,start,end,release")
    assert "112-02" in table[1]
    assert len(table) == len(found.places) + 1


def test_planted_misses_are_told_of_each_attacker(measured):
    _, _, found = measured
    figures = found.figures[0.05]
    assert figures.misses
    assert figures.exposed(Attacker.WITH_TAGS) > 0
    assert figures.held_up <= len(figures.misses)


def test_every_day_between_dates_is_as_it_was(measured):
    _, _, found = measured
    assert found.intervals.pairs == found.intervals.kept == 10 * 6


def test_utility_is_told_with_an_interval(measured):
    _, _, found = measured
    assert found.losses is not None
    assert all(each.low <= each.lost <= each.high for each in found.losses)


def test_the_release_has_nothing_new_and_the_project_no_models(measured):
    project, out, _ = measured
    names = {each.name for each in out.iterdir()}
    assert names == {"text", "xml", "data_card.md", "data_card.json"}
    assert not [each for each in (project.root / "surrogates").iterdir() if each.is_dir()]


def test_the_statements_name_nobody(measured):
    _, _, found = measured
    said = "\n".join(
        sentence for each in attack_statements(found) for sentence in (*each.says, *each.limits)
    ) + json.dumps([dict(each.figures) for each in attack_statements(found)])
    assert not any(name in said for name in (*NAMES, "Zeller", "Abbott", "112"))
    assert "trained on the same patients as released" in said


def pairs(project: Project, out: Path) -> list[tuple[str, str]]:
    source = Source.read(project, SurrogateOptions())
    found = read_released(out, source, read_made(out)[1])
    return [(each.original.record_id, each.released_as) for each in found]


@pytest.mark.parametrize(
    "options",
    [{}, {"new_ids": True}, {"test": 40}, {"unmark": frozenset({"DOCTOR"})},
     {"unmark": frozenset({"PATIENT", "DATE"}), "new_ids": True}],
    ids=["as it is", "new names", "parts", "unmarked", "unmarked with new names"],
)  # fmt: skip
def test_every_record_finds_its_own(tmp_path, options):
    project, out = released(tmp_path, sources(), **options)
    found = pairs(project, out)
    assert [one for one, _ in found] == sorted(sources())
    assert len({other for _, other in found}) == len(found)
    if "new_ids" not in options:
        assert all(one == other for one, other in found)


@pytest.mark.parametrize("mode", ReleaseMode)
def test_a_release_in_every_mode_is_read_as_it_was_made(tmp_path, mode):
    texts = {
        f"{number}-01": f"Seen on [March 4, 2007|DATE] and [5/{number - 100}|DATE] by a "
        f"[nurse|PROFESSION] of [Austin|CITY], [{NAMES[number - 110]}|PATIENT] is [{number}|AGE]."
        for number in (111, 112)
    }
    project, out = release_of(mode, tmp_path, texts)
    options, unmarked = read_made(out)
    assert options.mode is mode
    assert len(read_released(out, Source.read(project, options), unmarked)) == 2


def test_copies_of_a_release_with_resampled_names_are_resampled_as_often(tmp_path):
    _, out = release_of(ReleaseMode.SURROGATE, tmp_path, sources(), resample=0.25)
    options, _ = read_made(out)
    assert options.resample == 0.25


def test_articles_that_a_surrogate_changed_are_no_difference(tmp_path):
    texts = {
        f"{number}-01": f"She is a [{job}|PROFESSION] of an [{city}|CITY] firm, a [2007|DATE] case."
        for number, (job, city) in enumerate(
            [("nurse", "Austin"), ("baker", "Oakland"), ("miner", "Utica")], start=110
        )
    }
    project, out = released(tmp_path, texts)
    assert len(pairs(project, out)) == 3


def regold(project: Project, record_id: str, keep: int) -> None:
    patient = project.patient(record_id.partition("-")[0])
    layer = project.read_layer(GOLD, patient.document(record_id)).layer
    kept = Layer.of(record_id, GOLD, layer.tags[:keep])
    from shared.formats.i2b2_xml import format_record

    path = project.root / "gold" / f"{record_id}.xml"
    path.write_bytes(format_record(patient.document(record_id).text, kept))


def test_a_gold_standard_that_changed_since_is_refused(tmp_path):
    project, out = released(tmp_path, sources())
    regold(project, "111-01", 3)
    with pytest.raises(RequestError, match="record 111-01 differs from"):
        release_risk(Project.open(project.root), out)


def changed(out: Path, was: str, now: str) -> None:
    """The first record of a release with another text, of the same length for its tags to fit."""
    assert len(was) == len(now)
    path = out / "xml" / "110-01.xml"
    path.write_text(path.read_text().replace(was, now))


@pytest.mark.parametrize("unmark", [frozenset(), frozenset({"DOCTOR"})], ids=["all", "some"])
def test_a_release_that_was_changed_beside_its_tags_is_refused(tmp_path, unmark):
    project, out = released(tmp_path, sources(), unmark=unmark)
    changed(out, "old clinic", "new clinic")
    with pytest.raises(RequestError, match="record 110-01 differs"):
        release_risk(project, out)


def test_a_release_that_lacks_a_record_is_refused(tmp_path):
    project, out = released(tmp_path, sources())
    (out / "xml" / "110-01.xml").unlink()
    with pytest.raises(RequestError, match="it has 19 records and the project 20"):
        release_risk(project, out)


def test_a_record_that_was_held_back_since_is_refused(tmp_path):
    project, out = released(tmp_path, sources())
    keep_held_back(project.root, [HeldBack.now(("110", "110-01"), "why")])
    with pytest.raises(RequestError, match="it has 20 records and the project 19"):
        release_risk(project, out)


def test_a_date_that_somebody_changed_in_a_release_is_no_kept_interval(tmp_path):
    project, out = released(tmp_path, sources())
    source = Source.read(project, SurrogateOptions())
    first = read_released(out, source, frozenset())[0]
    day = first.tags[0].span.text_in(first.document.text)
    changed(out, day, f"{day[:-2]}{'07' if day[-2:] != '07' else '08'}")
    found = date_intervals(source, read_released(out, source, frozenset()))
    assert (found.pairs, found.kept, found.otherwise) == (60, 57, 3)


def test_a_release_with_placeholders_keeps_no_days(tmp_path):
    project, out = release_of(ReleaseMode.TAGS, tmp_path, sources())
    options, unmarked = read_made(out)
    source = Source.read(project, options)
    found = date_intervals(source, read_released(out, source, unmarked))
    assert (found.pairs, found.kept, found.gone) == (60, 0, 60)


def test_other_records_are_refused(tmp_path):
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    _, out = released(tmp_path / "one", sources())
    more = made(tmp_path / "two", sources() | {"140-01": "Mr. [Yates|PATIENT] came."})
    with pytest.raises(RequestError, match="it has 20 records and the project 21"):
        release_risk(more, out)


def test_a_folder_that_is_no_release_is_refused(tmp_path):
    project = made(tmp_path, sources())
    with pytest.raises(RequestError, match="is not a release with a data card"):
        release_risk(project, tmp_path)


def test_one_patient_is_refused(tmp_path):
    project, out = released(tmp_path, {"110-01": "Mr. [Yates|PATIENT] came."})
    with pytest.raises(RequestError, match="one patient only"):
        release_risk(project, out)


def test_a_place_in_what_was_replaced_without_a_tag_is_nowhere_in_the_project(tmp_path):
    project, out = released(tmp_path, sources(), unmark=frozenset({"DOCTOR"}))
    source = Source.read(project, SurrogateOptions())
    record = read_released(out, source, frozenset({"DOCTOR"}))[0]
    at = record.document.text.index("Dr. ") + 4
    name = Span(at, record.document.text.index(" in an old"))
    assert place_in_original(record, name) is None
    clinic = record.document.text.index("clinic")
    there = place_in_original(record, Span(clinic, clinic + 6))
    assert there is not None
    assert there.text_in(record.original.text) == "clinic"


def test_dates_too_old_are_told_as_the_known_exception(tmp_path):
    texts = {
        f"{number}-01": f"Record date: [2007-05-{number - 100}|DATE]. Born [01/02/1901|DATE], "
        "came [2007-04-01|DATE]."
        for number in (111, 112)
    }
    project, out = released(tmp_path, texts)
    source = Source.read(project, SurrogateOptions())
    found = date_intervals(source, read_released(out, source, frozenset()))
    assert (found.pairs, found.kept, found.too_old, found.otherwise) == (6, 2, 4, 0)
