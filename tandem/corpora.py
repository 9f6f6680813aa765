"""Tagged records of any format that Tandem reads, as data frames."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from shared.errors import FileError, RequestError
from shared.formats.base import FileFormat, ReadOptions, Record, WriteOptions
from shared.formats.corpus import read_corpus
from shared.formats.registry import FORMATS, refuse_unknown_options
from shared.formats.text_file import is_text_encoding
from shared.project.written_corpus import write_corpus
from tandem.tag_frames import frame_of, records_frame, records_of, tags_frame

LOSS_COLUMNS = ["record", "id", "what", "dropped"]


@dataclass(frozen=True, slots=True)
class TaggedCorpus:
    """Records with their tags, as they were read; `problems` says what could not be.

    In `tags`, `annotator` is "" where the files name nobody.
    """

    _records: tuple[Record, ...]
    problems: tuple[FileError, ...] = ()

    @classmethod
    def of(cls, records: pd.DataFrame, tags: pd.DataFrame) -> "TaggedCorpus":
        """The corpus of two frames. Raises RequestError where they do not fit together."""
        return cls(tuple(records_of(records, tags)))

    @property
    def records(self) -> pd.DataFrame:
        """One row for each record: patient, record, text."""
        return records_frame(each.document for each in self._records)

    @property
    def tags(self) -> pd.DataFrame:
        """One row for each tag of each annotator."""
        by_annotator = {
            layer.annotator: tags_frame(
                (record.document, one.tags)
                for record in self._records
                for one in record.layers
                if one.annotator == layer.annotator
            )
            for each in self._records
            for layer in each.layers
        }
        frames = [frame.assign(annotator=name) for name, frame in by_annotator.items()]
        if not frames:
            return tags_frame([]).assign(annotator="")
        return pd.concat(frames, ignore_index=True)

    def write(
        self,
        path: str | Path,
        format: str,  # noqa: A002  as pandas and others call it
        *,
        options: Mapping[str, str] | None = None,
    ) -> pd.DataFrame:
        """Write all of it, or nothing, into a new or empty folder, or one new file.

        `options` are those of the format by name, as those of `tandem convert`. Returns what the
        format could not carry: a row for each record or tag (`id`, "" where it is of no tag), what
        of it, and whether it was dropped or is there, changed. Raises RequestError where there is
        no such format or option, FileError.
        """
        target, values = _format(format), dict(options or {})
        refuse_unknown_options(values, [target])
        report = write_corpus(self._records, Path(path), target, WriteOptions(values=values))
        return frame_of(
            ((each.record_id, each.tag_id, str(each.what), each.is_dropped)
             for each in report.losses),
            LOSS_COLUMNS,
        )  # fmt: skip


def read(
    path: str | Path,
    format: str | None = None,  # noqa: A002  as pandas and others call it
    *,
    patient_pattern: str | None = None,
    options: Mapping[str, str] | None = None,
    encoding: str = "",
) -> TaggedCorpus:
    """Read the records of a file, or below a folder, in the named format, else in any.

    `options` say what files do not, by name, as those of `tandem convert`; `encoding` is that of
    text, told by its bytes where it is "". Raises RequestError where there is no such format,
    option or encoding, FileError where nothing can be read; what is wrong with single files is
    among the `problems` of the corpus.
    """
    formats, said = reading_of(format, options, encoding)
    every = formats or tuple(FORMATS.values())
    found = read_corpus(Path(path), patient_pattern, formats=every, options=said)
    return TaggedCorpus(found.records, (*found.problems, *found.unread))


def write(
    corpus: TaggedCorpus,
    path: str | Path,
    format: str,  # noqa: A002  as pandas and others call it
    *,
    options: Mapping[str, str] | None = None,
) -> pd.DataFrame:
    """Write a corpus and return what the format could not carry, as `TaggedCorpus.write`."""
    return corpus.write(path, format, options=options)


def reading_of(
    name: str | None,
    options: Mapping[str, str] | None,
    encoding: str,
    among: Sequence[FileFormat] = tuple(FORMATS.values()),
) -> tuple[tuple[FileFormat, ...], ReadOptions]:
    """The format that is named, if one is, and what is said of its files. Raises RequestError."""
    formats = () if name is None else (_format(name, among),)
    values = dict(options or {})
    refuse_unknown_options(values, formats or among)
    if encoding and not is_text_encoding(encoding):
        raise RequestError(f"there is no encoding {encoding} of text")
    return formats, ReadOptions(values, encoding)


def _format(name: str, among: Sequence[FileFormat] = tuple(FORMATS.values())) -> FileFormat:
    known = {each.name: each for each in among}
    if name not in known:
        raise RequestError(f"there is no format {name}; there are {', '.join(known)}")
    return known[name]
