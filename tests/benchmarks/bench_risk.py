"""What `tandem risk` and audits say of what is left, beside what is left.

Run it as a program: `python -m tests.benchmarks.bench_risk [--seeds N] [--meddocan DIR]`. The
records of 40 fabricated patients (and of MEDDOCAN, where its folder is given) are read by two
simulated annotators who miss each PHI by a known chance: each for themselves, or alike, as some PHI
is hard for both. What either found is the gold standard, so what both missed is left. Printed is
the estimate with its interval beside the truth, without and with the rules as a third reader (what
they suggest and is PHI is in the gold standard then), for the last seed; how many seeds' intervals
hold the truth; of how many patients each annotator found every identifier, as told and in truth;
and of 2,000 audits of 60 records how many bounds hold the truth, for readers who find all of what
is left, and 9 of 10.
"""

import argparse
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from adjudicator.audit_book import Audit, AuditDraw, AuditReading
from adjudicator.project_risk import ProjectRisk, project_risk
from shared.formats.base import Record
from shared.formats.corpus import read_corpus
from shared.formats.schema_auto import schema_of
from shared.model import Document, Layer, Schema, Tag
from shared.model.i2b2_2014 import I2B2_2014
from shared.model.phi_traits import Identifier
from shared.project.assignments import State
from shared.project.project import Project
from shared.synthetic import fabricate

Known = Sequence[tuple[Document, Layer]]
_AUDITS, _SAMPLE = 2000, 60
_NAMES = ("ana", "ben")


@dataclass(frozen=True, slots=True)
class Readers:
    """How annotators miss: `hard` is the share of PHI that is hard, for both alike."""

    name: str
    missed: tuple[float, float]
    hard: float = 0.0
    missed_if_hard: float = 0.0

    def miss(self, rng: Random) -> tuple[bool, bool]:
        """Whether the first and the second miss a PHI."""
        if rng.random() < self.hard:
            return rng.random() < self.missed_if_hard, rng.random() < self.missed_if_hard
        return rng.random() < self.missed[0], rng.random() < self.missed[1]


READERS = (
    Readers("independent", (0.10, 0.14)),
    Readers("alike", (0.06, 0.08), hard=0.08, missed_if_hard=0.6),
)


@dataclass(frozen=True, slots=True)
class Simulation:
    """A project whose readers missed by chance, and the tags that both missed, by record."""

    project: Project
    left: dict[str, Sequence[Tag]]
    missed: Mapping[tuple[str, str], int]
    """How many each annotator missed of a patient, by annotator and patient, direct ones."""


def main() -> None:
    parser = argparse.ArgumentParser(description="Figures of risk beside their truth.")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--meddocan", type=Path, help="the folder of MEDDOCAN's files")
    arguments = parser.parse_args()
    for name, schema, known in corpora(arguments.meddocan):
        for readers in READERS:
            print(f"\n== {name}, {len(known)} records, annotators {readers.name}")
            judged(schema, known, readers, arguments.seeds)


def corpora(meddocan: Path | None) -> Iterator[tuple[str, Schema, Known]]:
    patients = fabricate(40, 16)
    yield (
        "40 fabricated patients",
        I2B2_2014,
        [(each, one.gold[each.record_id]) for one in patients for each in one.patient.documents],
    )
    if meddocan is not None:
        read = read_corpus(meddocan).records
        schema = schema_of(tag for each in read for tag in each.layers[0].tags)
        yield "MEDDOCAN dev", schema, [(each.document, each.layers[0]) for each in read]


def judged(schema: Schema, known: Known, readers: Readers, seeds: int) -> None:
    held: Counter[str] = Counter()
    for seed in range(seeds):
        with tempfile.TemporaryDirectory() as folder:
            simulated = simulate(Path(folder) / "project", schema, known, readers, seed)
            truth = sum(map(len, simulated.left.values()))
            for third in ((), ("rules",)):
                if third:
                    judge(simulated)
                    truth = sum(map(len, simulated.left.values()))
                found = project_risk(simulated.project, third, is_judged=bool(third))
                left = found.left["all"]
                held[f"{'three' if third else 'two'} readers, of seeds"] += 1
                held[f"{'three' if third else 'two'} readers, held"] += (
                    left.low <= truth <= left.high
                )
                if seed == seeds - 1:
                    show(found, simulated, schema, known)
    print("intervals of all types that hold the truth:", dict(held))
    show_audits(simulated, len(known))


def simulate(root: Path, schema: Schema, known: Known, readers: Readers, seed: int) -> Simulation:
    rng = Random(seed)
    records = [Record(document) for document, _ in known]
    project = Project.create(root, "Simulated", schema, records, _NAMES, seed)
    left: dict[str, Sequence[Tag]] = {}
    missed: Counter[tuple[str, str]] = Counter()
    for document, layer in known:
        said = [(tag, readers.miss(rng)) for tag in layer.tags]
        for number, name in enumerate(_NAMES):
            own = [tag for tag, miss in said if not miss[number]]
            write(project, name, document, own)
            missed[name, document.patient_id] += sum(
                miss[number] and schema.traits_of(tag.phi_type).identifier is Identifier.DIRECT
                for tag, miss in said
            )
        write(project, "gold", document, [tag for tag, miss in said if not all(miss)])
        left[document.record_id] = [tag for tag, miss in said if all(miss)]
    for patient_id in project.patient_ids:
        for name in _NAMES:
            project.set_state(patient_id, name, State.DONE)
    return Simulation(project, left, missed)


def judge(simulated: Simulation) -> None:
    """Put into the gold standard what is left and the rules suggest, as who looks at it would."""
    project = simulated.project
    for document, tag in project_risk(project, ("rules",)).suggested:
        left = simulated.left[document.record_id]
        found = [each for each in left if each.span.overlaps(tag.span)]
        stored = project.read_layer("gold", document)
        layer = Layer.of(document.record_id, "gold", [*stored.layer.tags, *found])
        project.write_layer("gold", document, layer, stored.digest)
        simulated.left[document.record_id] = [each for each in left if each not in found]


def write(project: Project, name: str, document: Document, tags: Sequence[Tag]) -> None:
    layer = Layer.of(document.record_id, name, tags)
    project.write_layer(name, document, layer, None)


def show(found: ProjectRisk, simulated: Simulation, schema: Schema, known: Known) -> None:
    third = "three readers, suggestions judged" if found.has_recognizer else "two readers"
    print(f"-- {third}; left: estimate (interval) | truth")
    truth = Counter(str(tag.phi_type) for tags in simulated.left.values() for tag in tags)
    truth["all"] = sum(map(len, simulated.left.values()))
    for name in found.missed:
        middle, low, high = found.left[name].ends
        if name == "all" or truth[name] or middle >= 1:
            print(f"   {name:<28} {middle:7.1f} ({low:.1f} to {high:.1f}) | {truth[name]}")
    with_any = {document.patient_id for document, _ in known if simulated.left[document.record_id]}
    middle, low, high = found.patients_with_any()
    print(f"   patients with any            {middle:7.1f} ({low:.1f} to {high:.1f}) | "
          f"{len(with_any)} of {found.patients}")  # fmt: skip
    for each in found.whole:
        if each.identifier is Identifier.DIRECT and each.reader in _NAMES:
            true = direct_whole(simulated, schema, known, each.reader)
            print(f"   {each.reader}: all direct identifiers of {each.whole} of {each.patients} | "
                  f"{true[0]} of {true[1]}")  # fmt: skip


def direct_whole(simulated: Simulation, schema: Schema, known: Known, name: str) -> tuple[int, int]:
    """Of how many patients an annotator did find every direct identifier, of those who have any."""
    having = {
        document.patient_id
        for document, layer in known
        for tag in layer.tags
        if schema.traits_of(tag.phi_type).identifier is Identifier.DIRECT
    }
    return sum(not simulated.missed[name, each] for each in having), len(having)


def show_audits(simulated: Simulation, records: int) -> None:
    bad = {name for name, tags in simulated.left.items() if tags}
    share = len(bad) / records
    print(
        f"-- {_AUDITS:,} audits of {_SAMPLE} records; records with PHI left, in truth: {share:.3f}"
    )
    for recall in (1.0, 0.9):
        bounds = [audit_of(simulated, seed, recall).bound for seed in range(_AUDITS)]
        held = sum(each.share >= share for each in bounds)
        middle = sorted(each.share for each in bounds)[_AUDITS // 2]
        print(
            f"   a reader who finds {recall:.0%} of what is left: {held} of {_AUDITS} "
            f"{bounds[0].method} bounds hold it, their median {middle:.3f}"
        )


def audit_of(simulated: Simulation, seed: int, recall: float) -> Audit:
    rng = Random(seed)
    archive = dict.fromkeys(simulated.left, "")
    drawn = tuple(rng.sample(sorted(archive), min(_SAMPLE, len(archive))))
    draw = AuditDraw("d", "", "", "hidden", seed, drawn, archive)
    readings = (
        AuditReading(
            each, "", "", "",
            tuple(tag.mark for tag in simulated.left[each] if rng.random() < recall),
        )
        for each in drawn
    )  # fmt: skip
    return Audit(draw, tuple(readings))


if __name__ == "__main__":
    main()
