"""A network computed by hand, and as a file that somebody spoilt."""

import io
import json
import stat
import sys
import zipfile
from dataclasses import replace

import numpy as np
import pytest

from shared.errors import FileFormatError, StorageError
from shared.recognition.crf.crfs import token_units
from shared.recognition.crf.marginals import LabelledSpan
from shared.recognition.features import Extractor, FeatureSet, TokenizedDocument
from shared.recognition.model_card import CARD
from shared.recognition.model_folder import load_model, new_model_folder
from shared.recognition.neural.network import (
    LONGEST_WORD,
    NetworkScorer,
    character_numbers,
    network_attributes,
)
from shared.recognition.neural.network_file import (
    network_arrays,
    read_network,
    write_network,
)
from shared.recognition.training.train import train
from shared.recognition.training_settings import SETTINGS
from tests.builders import document
from tests.networks import add_network, floats, tiny

WORDS = FeatureSet(("word",), window=0)


def scores(networks, *texts):
    extractor = Extractor(WORDS)
    documents = list(map(TokenizedDocument, texts))
    attributes = list(map(extractor.places, documents))
    units = list(map(token_units, documents))
    return NetworkScorer(networks, extractor).scores(documents, attributes, units)


def test_scores_are_those_that_a_hand_computes():
    # Ann: 2 by its attribute, 0 by its letters, normed 1 and -1; b: 0 and 0; a: 0 and 1, so -1, 1
    # of its neighbours a token sees 1 on the left, 10 of its own, 100 on the right
    expected = [[0.25, 1 + 110 + 0.5], [0.25, 0 + 111], [0.25, -1 + 11 - 0.5]]
    (found,) = scores([tiny()], "Ann b a")

    assert found == pytest.approx(np.array(expected), abs=1e-4)


def test_what_a_convolution_finds_below_zero_is_nothing():
    network = tiny()
    layer = network.layers[0]
    below = replace(layer, convolution=replace(layer.convolution, bias=floats(-1000)[0]))
    (found,) = scores([replace(network, layers=(below,))], "Ann b a")

    assert found[:, 1] == pytest.approx([1.5, 0, -1.5], abs=1e-4)


def test_documents_do_not_see_each_other():
    alone = [scores([tiny()], text)[0] for text in ("Ann b a", "", "a")]
    (together,) = scores([tiny()], "Ann b a", "", "a")

    assert np.array_equal(np.concatenate(alone), together)


def test_several_networks_are_read_at_once():
    other = tiny()
    other = replace(other, vectors=-other.vectors, attributes={"w=b": 0}, characters={"n": 2})
    apart = [scores([each], "Ann b a")[0] for each in (tiny(), other)]
    together = scores([tiny(), other], "Ann b a")

    assert not np.array_equal(*apart)
    assert np.array_equal(apart, together)


def test_words_seen_again_are_not_summed_up_anew(monkeypatch):
    network = tiny()
    extractor = Extractor(WORDS)
    one = TokenizedDocument("Ann b a Ann")
    scorer = NetworkScorer([network], extractor)
    first = scorer.scores([one], [extractor.places(one)], [token_units(one)])
    monkeypatch.setattr(scorer, "_sum_up", None)

    again = scorer.scores([one], [extractor.places(one)], [token_units(one)])
    assert np.array_equal(first, again)


def test_of_a_long_word_both_ends_are_read():
    characters = {each: at for at, each in enumerate("abc", 2)}
    found = character_numbers("a" * 10 + "b" * 10 + "c" * 10, characters)

    assert found == [2] * 8 + [4] * 8
    assert character_numbers("ax", characters) == [2, 1] + [0] * (LONGEST_WORD - 2)


def test_a_network_sees_all_but_ngrams():
    extractor = Extractor(FeatureSet(("word", "ngrams", "glue"), window=0))
    first, _ = network_attributes(extractor, TokenizedDocument("Ann Lee"))

    assert first == ["w=ann", "b", "gl=^", "gr=s", "glr=^s"]


@pytest.fixture
def path(tmp_path):
    write_network(tmp_path / "tiny.npz", tiny())
    return tmp_path / "tiny.npz"


def test_a_network_is_read_as_it_was_written(path):
    found, expected = read_network(path), tiny()

    assert (found.labels, found.attributes, found.characters) == (
        expected.labels,
        expected.attributes,
        expected.characters,
    )
    read, written = network_arrays(found), network_arrays(expected)
    assert read.keys() == written.keys()
    assert all(np.array_equal(read[name], written[name]) for name in read)
    if sys.platform != "win32":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize(("first", "kind"), [(0.5, np.float16), (0.1, np.float32)])
def test_weights_of_layers_take_half_the_room_where_that_loses_nothing(tmp_path, first, kind):
    network = tiny()
    convolution = network.layers[0].convolution
    weights = floats([first], [10], [100])
    layer = replace(network.layers[0], convolution=replace(convolution, weights=weights))
    write_network(tmp_path / "tiny.npz", replace(network, layers=(layer,)))

    with np.load(tmp_path / "tiny.npz", allow_pickle=False) as archive:
        assert archive["layer_weights"].dtype == kind
    read = read_network(tmp_path / "tiny.npz").layers[0].convolution.weights
    assert read.dtype == np.float32
    assert np.array_equal(read, weights)


@pytest.mark.parametrize(
    ("vector", "kind"),
    [(-127 / 64, np.int8), (2, np.float16), (1 / 128, np.float16), (-300, np.float16)],
)
def test_vectors_take_a_byte_a_number_where_that_loses_nothing(tmp_path, vector, kind):
    vectors = floats([vector]).astype(np.float16)
    write_network(tmp_path / "tiny.npz", replace(tiny(), vectors=vectors))

    with np.load(tmp_path / "tiny.npz", allow_pickle=False) as archive:
        assert archive["vectors"].dtype == kind
    read = read_network(tmp_path / "tiny.npz").vectors
    assert read.dtype == np.float16
    assert np.array_equal(read, vectors)


def test_numpy_reads_the_file_without_a_pickle(path):
    with np.load(path, allow_pickle=False) as archive:
        assert archive["layer_weights"].shape == (1, 3, 1)


def members(path):
    with zipfile.ZipFile(path) as archive:
        return {each: archive.read(each) for each in archive.namelist()}


def written(path, files, compression=zipfile.ZIP_STORED):
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


def npy(array):
    file = io.BytesIO()
    np.save(file, array, allow_pickle=True)
    return file.getvalue()


def names(**changed):
    table = {"labels": ["O", "S-NAME:PATIENT"], "attributes": ["w=ann"], "characters": ["a"]}
    return npy(np.frombuffer(json.dumps(table | changed).encode(), np.uint8))


class Bomb:
    def __reduce__(self):
        return (pytest.fail, ("a pickle was read",))


SPOILT = {
    "a number that is none": {"token_bias.npy": npy(floats(np.nan))},
    "a number beyond all": {"vectors.npy": npy(floats([np.inf]).astype(np.float16))},
    "a weight that is too large": {"output_bias.npy": npy(floats(1e30, 0))},
    "a pickle": {"token_bias.npy": npy(np.array([Bomb()], object))},
    "another kind of numbers": {"token_bias.npy": npy(np.zeros(1))},
    "another order of bytes": {"token_bias.npy": npy(floats(0).astype(">f4"))},
    "another order of rows": {"layer_weights.npy": npy(np.asfortranarray(np.zeros((1, 3, 2))))},
    "another shape": {"layer_weights.npy": npy(np.zeros((1, 4, 1), np.float32))},
    "a size that is not there": {
        "token_bias.npy": npy(floats(0)).replace(b"(1,), }", b"(9000000000000,), }")
    },
    "four dimensions": {"token_bias.npy": npy(np.zeros((1, 1, 1, 1), np.float32))},
    "no dimension": {"token_bias.npy": npy(np.float32(0))},
    "no array": {"token_bias.npy": b"none"},
    "nothing": {"token_bias.npy": b""},
    "one more": {"more.npy": npy(floats(0))},
    "no layers": {"dilations.npy": npy(np.zeros(0, np.int64))},
    "a layer that sees too far": {"dilations.npy": npy(np.array([1 << 40]))},
    "a layer that sees backwards": {"dilations.npy": npy(np.array([-1]))},
    "labels without end": {"names.npy": names(labels=[str(each) for each in range(2000)])},
    "fewer labels": {"names.npy": names(labels=["O"])},
    "a label that is no text": {"names.npy": names(labels=["O", 3])},
    "an attribute that comes twice": {"names.npy": names(attributes=["w=ann", "w=ann"])},
    "no characters": {"names.npy": names(characters=None)},
    "no names": {"names.npy": npy(np.frombuffer(b"[" * 100_000, np.uint8))},
}


@pytest.mark.parametrize("spoilt", SPOILT)
def test_a_spoilt_network_is_named(path, spoilt):
    written(path, members(path) | SPOILT[spoilt])

    with pytest.raises(FileFormatError, match=r"npz: is not a whole network; train"):
        read_network(path)


def test_what_is_written_anew_is_read(path):
    expected = network_arrays(tiny())
    written(path, members(path))

    assert network_arrays(read_network(path)).keys() == expected.keys()


def test_an_archive_that_would_grow_is_not_unpacked(path):
    written(path, members(path), zipfile.ZIP_DEFLATED)

    with pytest.raises(FileFormatError, match="not a whole network"):
        read_network(path)


def test_a_missing_array_is_missed(path):
    files = members(path)
    for name in files:
        written(path, {each: data for each, data in files.items() if each != name})
        with pytest.raises(FileFormatError, match="not a whole network"):
            read_network(path)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_an_array_that_comes_twice_is_refused(path):
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("token_bias.npy", npy(floats(0)))

    with pytest.raises(FileFormatError, match="not a whole network"):
        read_network(path)


def test_no_byte_of_a_network_can_change_unnoticed(path):
    data = path.read_bytes()
    start = data.index(b"layer_bias.npy") - 30
    body = data.index(b"\x93NUMPY", start)
    for at in range(body, body + 128 + 4):
        path.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        with pytest.raises(FileFormatError, match="not a whole network"):
            read_network(path)


@pytest.mark.parametrize("share", [0, 0.1, 0.5, 0.9, 0.999])
def test_a_network_that_was_cut_is_not_read(path, share):
    data = path.read_bytes()
    path.write_bytes(data[: int(share * len(data))])

    with pytest.raises(FileFormatError, match="not a whole network"):
        read_network(path)


@pytest.fixture
def model(examples, tmp_path):
    """A quick CRF with a network beside it, which no PyTorch made."""
    with new_model_folder(tmp_path / "m") as folder:
        train(examples, SETTINGS["token"], folder)
        add_network(folder)
    return tmp_path / "m"


def test_a_network_is_asked_beside_the_crfs_of_a_model(model, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)  # whoever imports it fails
    loaded = load_model(model)
    ((linear, network),) = loaded.crfs.read([TokenizedDocument("ann b a")])

    assert linear.index.labels != network.index.labels
    assert [(each.start, each.end) for each in network.tags()] == [(0, 3), (4, 5), (6, 7)]
    (found,) = loaded.suggest([document("ann b a")])
    for each in found:
        place = LabelledSpan(each.start, each.end, "NAME:PATIENT")
        both = linear.probabilities([place])[0], network.probabilities([place])[0]
        assert each.confidence == pytest.approx(sum(both) / 2)
    assert len(found) == 3


def test_a_network_that_is_not_there_is_named(model):
    (model / "tiny.npz").unlink()

    with pytest.raises(StorageError, match=r"tiny\.npz"):
        load_model(model)


def test_a_network_cannot_lead_out_of_the_folder(model):
    card = json.loads((model / CARD).read_text())
    card["settings"]["networks"][0]["name"] = "../m/tiny"
    (model / CARD).write_text(json.dumps(card))

    with pytest.raises(FileFormatError, match=r"card\.json"):
        load_model(model)
