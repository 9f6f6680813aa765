"""What was made as files: tables as CSV, and the corpora with their tags, for other systems too."""

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from io import StringIO

from shared.formats.base import OutputFile, Record, WriteOptions
from shared.formats.registry import FORMATS
from shared.recognition.reproduction.corpora import PhiCorpus
from shared.recognition.reproduction.paper_tables import ReproducedTable
from shared.recognition.reproduction.placing import PlacedExample

_FORMAT = "i2b2"
TRAINING = "training"


def table_files(tables: Iterable[ReproducedTable]) -> Iterator[OutputFile]:
    """Yield a file of CSV for each table, named after its number."""
    for table in tables:
        text = StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerows([table.headers, *table.cells()])
        yield OutputFile(f"table-{table.printed.number}.csv", text.getvalue().encode())


def corpus_files(corpora: Mapping[str, PhiCorpus]) -> Iterator[OutputFile]:
    """Yield the records of corpora, in a folder for each and below it for training and tests."""
    for name, corpus in corpora.items():
        for part, records in {TRAINING: corpus.training, **corpus.tests}.items():
            yield from _record_files(f"{name}/{part}", records)


def _record_files(folder: str, records: Sequence[PlacedExample]) -> Iterator[OutputFile]:
    made = [Record.of(each.example.document, each.example.tags) for each in records]
    for file in FORMATS[_FORMAT].write(made, WriteOptions()):
        yield replace(file, name=f"{folder}/{file.name}")
