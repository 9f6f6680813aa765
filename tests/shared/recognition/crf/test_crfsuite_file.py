import errno
import shutil
import struct
import zlib
from pathlib import Path

import numpy as np
import pycrfsuite
import pytest

from shared.errors import FileFormatError, StorageError
from shared.recognition.crf.crfsuite_file import halve_precision, read_weights
from shared.recognition.crf.forward_backward import lattice

SENTENCES = [
    ([["w=ann", "b"], ["w=lee", "b"], ["w=came", "b"]], ["B-N", "I-N", "O"]),
    ([["w=she", "b"], ["w=saw", "b"], ["w=bob", "b"]], ["O", "O", "B-N"]),
    ([["w=señora", "b"], ["w=ann", "b"]], ["O", "B-N"]),
]


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """A small model that CRFsuite trained and wrote."""
    path = tmp_path_factory.mktemp("crf") / "model.crfsuite"
    trainer = pycrfsuite.Trainer(verbose=False)
    for attributes, labels in SENTENCES:
        trainer.append(attributes, labels)
    trainer.train(str(path))
    return path


def test_weights_give_the_marginals_that_crfsuite_gives(model):
    weights = read_weights(model)
    tagger = pycrfsuite.Tagger()
    tagger.open(str(model))

    for attributes, _ in SENTENCES:
        rows = [[weights.attributes[name] for name in each] for each in attributes]
        scores = np.array([weights.states[row].sum(axis=0) for row in rows], float)
        marginals = lattice(scores, weights.transitions, [(0, len(rows))]).marginals
        tagger.set(attributes)
        expected = [
            [tagger.marginal(label, at) for label in weights.labels] for at in range(len(rows))
        ]
        np.testing.assert_allclose(marginals, expected, atol=1e-6)


def test_labels_and_attributes_are_crfsuites(model):
    weights = read_weights(model)
    tagger = pycrfsuite.Tagger()
    tagger.open(str(model))

    assert set(weights.labels) == set(tagger.labels())
    assert "w=señora" in weights.attributes


def test_weights_of_half_precision_pack_in_less_room_and_are_read_by_crfsuite_too(model, tmp_path):
    half = tmp_path / "half.crfsuite"
    shutil.copy(model, half)
    halve_precision(half)
    before, after = read_weights(model), read_weights(half)
    np.testing.assert_array_equal(after.states, before.states.astype(np.float16))
    np.testing.assert_array_equal(after.transitions, before.transitions.astype(np.float16))
    assert (after.labels, after.attributes) == (before.labels, before.attributes)
    assert half.stat().st_size == model.stat().st_size
    assert len(zlib.compress(half.read_bytes())) < 0.9 * len(zlib.compress(model.read_bytes()))
    tagger = pycrfsuite.Tagger()
    tagger.open(str(half))
    assert [tagger.tag(attributes) for attributes, _ in SENTENCES] == [
        each for _, each in SENTENCES
    ]


def test_what_is_no_model_or_cannot_be_written_is_said(model, tmp_path, monkeypatch):
    broken = tmp_path / "broken.crfsuite"
    for data in (b"", b"lCRF", model.read_bytes()[:60]):
        broken.write_bytes(data)
        with pytest.raises(FileFormatError, match="broken"):
            halve_precision(broken)
        assert broken.read_bytes() == data
    full = tmp_path / "full.crfsuite"
    shutil.copy(model, full)

    def write(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", write)
    with pytest.raises(StorageError, match=r"full\.crfsuite"):
        halve_precision(full)


def test_a_truncated_model_is_refused_wherever_it_ends(model, tmp_path):
    data = model.read_bytes()
    broken = tmp_path / "broken.crfsuite"
    for length in [*range(0, 200, 7), *range(200, len(data), 97), len(data) - 1]:
        broken.write_bytes(data[:length])
        with pytest.raises(FileFormatError, match="broken"):
            read_weights(broken)


def test_a_damaged_model_is_refused_or_read_but_never_ends_the_process(model, tmp_path):
    data = bytearray(model.read_bytes())
    chance = np.random.default_rng(3)
    broken = tmp_path / "broken.crfsuite"
    for _ in range(300):
        damaged = data.copy()
        for at in chance.integers(0, len(data), 4):
            damaged[at] = chance.integers(0, 256)
        broken.write_bytes(bytes(damaged))
        try:
            weights = read_weights(broken)
        except FileFormatError:
            continue
        assert np.isfinite(weights.states).all()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"lCRF",
        b"not a model at all" * 9,
        struct.pack("<4sI4s9I", b"lCRF", 48, b"FOMC", *[9**9] * 9),
    ],
)
def test_a_foreign_file_is_refused(tmp_path, content):
    path = tmp_path / "foreign"
    path.write_bytes(content)

    with pytest.raises(FileFormatError, match="foreign"):
        read_weights(path)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(StorageError, match="missing"):
        read_weights(tmp_path / "missing")


def crfsuite_file(labels, attributes, told=None):
    """A model without weights; `told` is how many labels it claims where its table has fewer."""
    tables = b""
    offsets = [48]
    features = struct.pack("<4sII", b"FEAT", 12, 0)
    tables += features
    for names in (labels, attributes):
        offsets.append(48 + len(tables))
        records, places = b"", []
        for each in names:
            places.append(24 + len(records))
            records += struct.pack("<II", 0, len(each) + 1) + each + b"\0"
        backward = 24 + len(records)
        size = backward + 4 * len(names)
        tables += struct.pack("<4sIIIII", b"CQDB", size, 0, 0x62445371, len(names), backward)
        tables += records + struct.pack(f"<{len(names)}I", *places)
    head = struct.pack(
        "<4sI4sIIIIIIIII", b"lCRF", 48 + len(tables), b"FOMC", 100, 0,
        told or len(labels), len(attributes), *offsets, 0, 0,
    )  # fmt: skip
    return head + tables


@pytest.mark.parametrize("count", [20_000, 100_000])
def test_more_labels_than_any_schema_makes_are_refused(count, tmp_path):
    path = tmp_path / "bomb.crfsuite"
    path.write_bytes(crfsuite_file([b"B-%d" % each for each in range(count)], [b"w"]))
    with pytest.raises(FileFormatError, match="whole"):
        read_weights(path)


def test_labels_by_the_hundred_are_read_and_what_is_told_of_them_has_to_be_so(tmp_path):
    path = tmp_path / "model.crfsuite"
    labels = [b"B-%d" % each for each in range(800)]
    path.write_bytes(crfsuite_file(labels, [b"w"]))
    assert len(read_weights(path).labels) == 800
    path.write_bytes(crfsuite_file(labels, [b"w"], told=799))
    with pytest.raises(FileFormatError, match="whole"):
        read_weights(path)


def test_a_model_that_leads_to_a_device_is_refused(tmp_path):
    path = tmp_path / "model.crfsuite"
    path.symlink_to("/dev/zero")
    with pytest.raises(FileFormatError, match="device"):
        read_weights(path)
