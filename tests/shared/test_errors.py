import errno
import pickle
from pathlib import Path

import pytest

from shared import errors

MADE = [
    errors.SpanError(4, 4),
    errors.CrossesRecordsError(3, 9),
    errors.UnknownTypeError("NAME", "NICKNAME", "i2b2-2014", where="a.xml"),
    errors.TextMismatchError("a.xml", "P3", 4, 9),
    errors.NewerVersionError("tandem.toml", 3, 1),
    errors.ChangedOnDiskError("a.xml"),
    errors.LockedError("110.lock", "ana on ward7 since 9:41"),
    errors.StorageError.from_os("a.xml", PermissionError(errno.EACCES, "Permission denied")),
]


@pytest.mark.parametrize("error", MADE, ids=lambda error: type(error).__name__)
def test_every_error_is_one_sentence_of_the_family(error):
    assert isinstance(error, errors.TandemError)
    assert str(error)
    assert "\n" not in str(error)


@pytest.mark.parametrize(
    ("error", "kept"),
    [
        (errors.SpanError(4, 4), {"start": 4, "end": 4}),
        (errors.UnknownTypeError("NAME", "NICKNAME", "s"), {"category": "NAME"}),
        (errors.TextMismatchError("a.xml", "P3", 4, 9), {"path": Path("a.xml"), "tag_id": "P3"}),
        (errors.LockedError("110.lock", "ana"), {"holder": "ana", "path": Path("110.lock")}),
        (errors.FileError("a.xml", "is empty"), {"problem": "is empty"}),
    ],
)
def test_errors_keep_what_they_speak_of(error, kept):
    assert {name: getattr(error, name) for name in kept} == kept


def test_an_unknown_type_names_the_file_where_there_is_one():
    assert str(errors.UnknownTypeError("NAME", "X", "s", where="a.xml")).startswith("a.xml: ")
    assert str(errors.UnknownTypeError("NAME", "X", "s")).startswith("the schema s ")


@pytest.mark.parametrize(
    ("error", "said"),
    [(OSError(errno.ENOSPC, "No space left on device"), "no space left"), (OSError(), "oserror")],
)
def test_storage_errors_say_what_the_system_said(error, said):
    assert said in str(errors.StorageError.from_os("a.xml", error))


@pytest.mark.parametrize(
    "error",
    [each for each in MADE if isinstance(each, errors.FileError)],
    ids=lambda error: type(error).__name__,
)
def test_what_is_wrong_with_a_file_is_told_to_another_process(error):
    told = pickle.loads(pickle.dumps(error))  # noqa: S301  our own
    assert (type(told), str(told), vars(told)) == (type(error), str(error), vars(error))
