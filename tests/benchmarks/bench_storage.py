"""How long files take: 1,304 XML records read, a project made and opened, layers, the journal.

python -m tests.benchmarks.bench_storage
"""

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from shared.commands.output import print_table
from shared.formats.corpus import read_corpus
from shared.formats.i2b2_xml import format_record
from shared.model import Layer, Span, Tag
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.journal import Journal, read_journal
from shared.project.project import Project

PATIENTS, RECORDS, TOKENS, TAGS, EDITS = 296, 1304, 620, 22, 10_000


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        print_table(_figures(Path(name)), ["what", "ms", "ms each"])


def _figures(folder: Path) -> list[list[object]]:
    _write_records(folder / "records")
    rows: list[list[object]] = []

    def timed(what: str, number: int, do: Callable[[], object]) -> object:
        start = time.perf_counter()
        made = do()
        taken = (time.perf_counter() - start) * 1000
        rows.append([what, f"{taken:.1f}", f"{taken / number:.3f}"])
        return made

    records = read_corpus(folder / "records").records
    timed("read 1,304 XML records", RECORDS, lambda: read_corpus(folder / "records"))
    root, people = folder / "project", ["ana", "ben"]
    timed(
        "make a project of them",
        RECORDS,
        lambda: Project.create(root, "T", I2B2_2014, records, people, 0, import_as="ana"),
    )
    timed("open the project", 1, lambda: Project.open(root))
    project = Project.open(root)
    patients = [project.patient(patient_id) for patient_id in project.patient_ids]
    documents = [document for patient in patients for document in patient.documents]
    timed("read 296 patients", PATIENTS, lambda: [*map(project.patient, project.patient_ids)])
    read = [project.read_layer("ana", document) for document in documents]
    timed("read 1,304 layers", RECORDS, lambda: [project.read_layer("ana", d) for d in documents])
    timed(
        "write 100 layers, synced",
        100,
        lambda: [
            project.write_layer("ana", document, stored.layer, stored.digest)
            for document, stored in zip(documents[:100], read[:100], strict=True)
        ],
    )
    with Journal(folder / "journal.jsonl") as journal:
        timed(
            "journal 10,000 edits",
            EDITS,
            lambda: [journal.append({"add": [n, n + 9, "NAME", "PATIENT"]}) for n in range(EDITS)],
        )
    timed("read the journal", EDITS, lambda: read_journal(folder / "journal.jsonl"))
    return rows


def _write_records(folder: Path) -> None:
    """Write records of the corpus's size; what they say does not matter here."""
    folder.mkdir()
    text = " ".join(f"word{number}" for number in range(TOKENS))
    types = [each.phi_type for each in I2B2_2014.types()]
    tags = [Tag(Span(n * 200, n * 200 + 9), types[n % len(types)]) for n in range(TAGS)]
    for number in range(RECORDS):
        name = f"{100 + number % PATIENTS}-{number // PATIENTS + 1:02}"
        data = format_record(text, Layer.of(name, "ana", tags))
        (folder / f"{name}.xml").write_bytes(data)


if __name__ == "__main__":
    main()
