"""Networks that PyTorch trains, where it is installed; what is said where it is not."""

import json
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from shared.commands import train as train_command
from shared.commands.main import main
from shared.errors import RequestError
from shared.formats.i2b2_xml import format_record
from shared.recognition.crf.crfs import token_units
from shared.recognition.evaluation import above, strict_scores
from shared.recognition.features import Extractor, TokenizedDocument
from shared.recognition.features.trained_gazetteer import TermCounts
from shared.recognition.model_card import CARD, read_card
from shared.recognition.model_folder import load_model, new_model_folder
from shared.recognition.neural import trainer
from shared.recognition.neural.batches import BatchMaker, LabelledTokens, training_tokens
from shared.recognition.neural.network import NetworkScorer, network_attributes
from shared.recognition.neural.network_file import FORBIDDEN, VECTOR_STEPS, network_arrays
from shared.recognition.training.train import train
from shared.recognition.training.training_data import TrainingData
from shared.recognition.training_settings import SETTINGS, RecognizerSettings
from tests.builders import layer

SMALL = replace(SETTINGS["neural"].networks[0], epochs=6, vector=16, width=24, dilations=(1, 2))
NEURAL = RecognizerSettings("neural", SETTINGS["token"].crfs, folds=2, networks=(SMALL,))
TOLERANCE = 1e-5


@pytest.fixture(scope="module")
def torch():
    return pytest.importorskip("torch")


def trained(examples, settings, target, **more):
    with new_model_folder(target) as folder:
        return train(examples, settings, folder, **more)


def fitted(examples, seed=1, settings=SMALL):
    return trainer.fit_network(TrainingData(examples, 1)._labelled(settings), settings, seed)


@pytest.fixture(scope="module")
def network(torch, examples):
    return fitted(examples)


@pytest.fixture(scope="module")
def model(torch, examples, tmp_path_factory):
    target = tmp_path_factory.mktemp("models") / "neural"
    trained(examples, NEURAL, target)
    return target


def test_numpy_scores_as_pytorch_does(torch, network, unseen):
    extractor = Extractor(SMALL.features, TermCounts())
    documents = [TokenizedDocument(each.document.text) for each in unseen]
    attributes = list(map(extractor.places, documents))
    (found,) = NetworkScorer([network], extractor).scores(
        documents, attributes, list(map(token_units, documents))
    )
    weights = {
        name: torch.from_numpy(each.astype(np.float32))
        for name, each in network_arrays(network).items()
    }
    at = 0
    for document in documents:
        whole = [(0, len(document))]
        columns = [
            [name for name in column if name in network.attributes]
            for column in network_attributes(extractor, document)
        ]
        labels = ["O"] * len(document)
        tokens = training_tokens(
            iter([LabelledTokens(columns, document.words, labels, [whole])]), 1
        )
        (batch,) = BatchMaker(tokens, 1.0, 0.0, 2).batches(trainer.Random(1))
        number = np.array([network.attributes[name] for name in tokens.attributes])
        letter = np.array([0, 1, *(network.characters.get(each, 1) for each in tokens.characters)])
        batch = replace(batch, attributes=number[batch.attributes], letters=letter[batch.letters])
        scores = trainer.network_scores(torch, weights, batch, SMALL.dilations).numpy()
        expected = scores[batch.is_token > 0]
        own = found[at : at + len(document)]
        assert np.abs(own - expected).max() < TOLERANCE * max(1, np.abs(expected).max())
        at += len(document)


def test_a_network_learns_what_it_is_shown(torch, examples, unseen, tmp_path):
    longer = replace(SMALL, epochs=30)
    alone = RecognizerSettings("alone", (), networks=(longer,))
    trained(examples, alone, tmp_path / "m")
    model = load_model(tmp_path / "m")
    found = model.suggest([each.document for each in unseen])

    assert strict_scores(unseen, above(found, model.card.threshold))["all"].f1 > 0.8


def test_no_label_follows_one_that_it_cannot_follow(network):
    moves = {
        (before, after): network.transitions[row, column]
        for row, before in enumerate(network.labels)
        for column, after in enumerate(network.labels)
    }

    assert moves["O", "I-DATE:DATE"] < FORBIDDEN / 2
    assert moves["B-DATE:DATE", "O"] < FORBIDDEN / 2
    assert moves["B-DATE:DATE", "E-NAME:DOCTOR"] < FORBIDDEN / 2
    assert moves["B-DATE:DATE", "E-DATE:DATE"] > FORBIDDEN / 2
    assert moves["E-DATE:DATE", "S-NAME:DOCTOR"] > FORBIDDEN / 2


def test_the_loss_is_that_of_all_paths(torch):
    labels = ("O", "B-X", "I-X", "E-X", "S-X")
    chance = np.random.default_rng(1)
    scores = torch.from_numpy(chance.normal(size=(7, 5)).astype(np.float32))
    moves = torch.from_numpy(chance.normal(size=(5, 5)).astype(np.float32))
    right = np.array([0, 1, 3, 0, 4, 0, 0])
    segments = [(0, 4), (4, 6), (6, 7)]
    batch = trainer.Batch(*[np.zeros(0)] * 5, right, segments)
    total = 0.0
    allowed = moves.numpy() + trainer._forbidden(labels)
    for first, last in segments:
        paths = {
            path: sum(scores[first + at, each].item() for at, each in enumerate(path))
            + sum(allowed[a, b] for a, b in pairwise(path))
            for path in np.ndindex(*[5] * (last - first))
            if labels[path[0]][0] in "OBS" and labels[path[-1]][0] in "OES"
        }
        whole = np.logaddexp.reduce(np.array(list(paths.values())))
        total += whole - paths[tuple(right[first:last])]

    found = trainer.CrfLoss(torch, labels)(scores, moves, batch).item()
    assert found == pytest.approx(total / len(segments), rel=1e-4)


def test_the_same_seed_makes_the_same_network(torch, network, examples):
    torch.manual_seed(99)
    before = torch.random.get_rng_state()
    first, again, other = network, fitted(examples), fitted(examples, seed=2)

    assert torch.equal(torch.random.get_rng_state(), before)
    same, apart = (
        [np.array_equal(a, b) for a, b in zip(network_arrays(first).values(),
                                              network_arrays(each).values(), strict=True)]
        for each in (again, other)
    )  # fmt: skip
    assert all(same)
    assert not all(apart)


def test_networks_of_one_recognizer_differ(torch, network, examples):
    other = fitted(examples, settings=replace(SMALL, name="cnn-2"))

    assert not np.array_equal(network.output.weights, other.output.weights)


def test_the_confidence_model_is_fitted_to_what_networks_find_too(model, unseen, monkeypatch):
    monkeypatch.setattr(trainer, "has_pytorch", lambda: pytest.fail("PyTorch was asked for"))
    loaded = load_model(model)
    ((linear, network), *_) = loaded.crfs.read([TokenizedDocument(unseen[0].document.text)])

    assert read_card(model).has_confidence_model
    assert read_card(model).settings.networks == (SMALL,)
    assert len(linear.index.labels) != len(network.index.labels)
    assert any(loaded.suggest([each.document for each in unseen]))


def test_the_same_examples_make_the_same_model_on_any_cores(torch, model, examples, tmp_path):
    trained(examples[::-1], NEURAL, tmp_path / "again", cores=2)

    for path in model.iterdir():
        if path.name != CARD:
            assert path.read_bytes() == (tmp_path / "again" / path.name).read_bytes(), path.name


def test_records_without_a_word_and_a_tag_are_learnt_from_too(torch, examples, tmp_path):
    empty = [replace(each, tags=(), document=replace(each.document, text=" \n"))
             for each in examples[:2]]  # fmt: skip
    trained([*empty, *examples[2:8]], replace(NEURAL, folds=0), tmp_path / "m")

    assert load_model(tmp_path / "m").suggest([empty[0].document]) == [()]


def test_without_a_tag_there_is_nothing_to_learn(torch, examples):
    bare = [replace(each, tags=()) for each in examples]

    with pytest.raises(RequestError, match="nothing to train on"):
        fitted(bare)


@pytest.fixture
def corpus(tmp_path):
    folder = tmp_path / "gold"
    folder.mkdir()
    for number, name in enumerate(("Ann Lee", "Bob Stone", "Eve Moss", "Tom Reed")):
        record = f"{110 + number}-01"
        source = layer(f"Patient: [{name}|PATIENT]\n", record)
        text = f"Patient: {name}\n"
        (folder / f"{record}.xml").write_bytes(format_record(text, source))
    return folder


@pytest.fixture
def without_pytorch(monkeypatch):
    for module in (trainer, train_command):
        monkeypatch.setattr(module, "has_pytorch", lambda: False)


def test_without_pytorch_a_recognizer_with_networks_is_refused(without_pytorch, corpus, capsys):
    target = corpus.parent / "m"
    command = ["train", str(corpus), "--out", str(target), "--cores", "1"]

    assert main([*command, "--recognizer", "neural"]) == 2
    said = capsys.readouterr().err
    assert "is trained by PyTorch, which is not installed; install tandem-phi[neural]" in said
    assert not target.exists()


def test_without_pytorch_the_default_is_without_networks_and_says_so(
    without_pytorch, corpus, capsys
):
    target = corpus.parent / "m"

    assert main(["train", str(corpus), "--out", str(target), "--folds", "0", "--cores", "1"]) == 0
    assert "without networks, as PyTorch is not installed; neural is" in capsys.readouterr().out
    assert json.loads((target / CARD).read_text())["settings"]["name"] == "ensemble"


def test_with_pytorch_the_default_has_networks_and_says_so(corpus, capsys, monkeypatch):
    asked = []
    monkeypatch.setattr(train_command, "has_pytorch", lambda: True)
    monkeypatch.setattr(train_command, "train", lambda _, settings, folder, **__: asked.append(
        settings) or trained_card(folder))  # fmt: skip
    command = ["train", str(corpus), "--out", str(corpus.parent / "m")]

    assert main(command) == 0
    assert asked == [SETTINGS["neural"]]
    assert "3 linear CRFs and 2 networks, trained with PyTorch" in capsys.readouterr().out


def trained_card(folder):
    (folder / CARD).write_text("{}")
    from shared.recognition.model_card import ModelCard

    return ModelCard(SETTINGS["neural"], "auto", (), 4, 4, "", "")


def test_vectors_are_rounded_to_what_a_byte_holds():
    vectors = np.linspace(-1.9, 1.9, 2001, dtype=np.float32).reshape(-1, 3)
    rounded = trainer._rounded(vectors)
    assert (np.abs(rounded - vectors) <= 0.5 / VECTOR_STEPS + 1e-6).all()
