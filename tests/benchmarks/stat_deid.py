"""The three corpora of the Stat De-id paper, made anew, and its tables beside our figures.

Uzuner, Sibanda, Luo and Szolovits (2008) put fabricated PHI into discharge summaries: drawn at
random from lists, drawn from medical terms (ambiguous), or made of random letters (out of
vocabulary). Here sentences with PHI are put between those of clinical notes that hold none, and
sentences of the notes that seem to name somebody are left out. Each half of the notes is read by a
recognizer trained on the other half, once where both have the same sentences with PHI, once where
only headers and footers are the same.
Figures count words between blanks, PHI of whatever type against the rest.
"""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from faker import Faker

from shared.commands.output import print_table
from shared.formats.schema_auto import schema_of_types
from shared.model import Document, Span, Tag
from shared.model.i2b2_2014 import I2B2_2014
from shared.recognition.evaluation import above
from shared.recognition.model_folder import new_model_folder
from shared.recognition.recognizer import Example, Suggestion
from shared.recognition.registry import RecognizerSpec, open_recognizer
from shared.recognition.training.train import train
from shared.recognition.training_settings import SETTINGS, RecognizerSettings
from shared.text.tokens import whitespace_tokens

TYPES = {each.name: each.phi_type for each in I2B2_2014.types()}
STAT_DEID_SYSTEMS = ("stat-deid", "identifinder", "heuristics", "snow", "crfd")
NAMED = ("PATIENT", "DOCTOR", "HOSPITAL", "CITY")
"""The types whose words are ambiguous or out of vocabulary; dates and numbers are as ever."""
_PERSON = re.compile(r"\b(?:Mr|Mrs|Ms|Miss|Dr)\.? |[a-z,] [A-Z][a-z]+ [A-Z][a-z]+")
_NAME_AT_START = re.compile(r"^[A-Z][a-z]+ (?:[A-Z][a-z]+ )?(?:is|presents|returns|was|has)\b")

SENTENCES = """
{PATIENT} was admitted to {HOSPITAL} on {DATE}.
Discussed with primary physicians ({DOCTOR}) and cardiologist ({DOCTOR}).
She lives by herself in {CITY}.
He lives alone in {CITY} and can be reached at {PHONE}.
She was taken by car to {HOSPITAL}.
Mr. {PATIENT} was seen by Dr. {DOCTOR} on {DATE}.
{PATIENT} underwent relaxation to remove mucous plugs.
Follow up with {DOCTOR} at {HOSPITAL} on {DATE}.
She was transferred from {HOSPITAL} to {HOSPITAL}.
The patient will follow up with Dr. {DOCTOR} in two weeks, phone {PHONE}.
On {DATE}, {PATIENT} was discharged to home in {CITY}.
Please call Dr. {DOCTOR} at {PHONE} with questions.
The pathology number was {IDNUM}.
Mrs. {PATIENT} moved from {CITY} last year.
Records were requested from {HOSPITAL} in {CITY}.
Ms. {PATIENT} returned on {DATE} with the same complaint.
The case was reviewed with {DOCTOR} , who agreed.
He had been followed at {HOSPITAL} since {DATE}.
Her daughter , {PATIENT} , can be called at {PHONE}.
The wound was closed by {DOCTOR} without complication.
He came in from {CITY} by ambulance.
An outside film from {HOSPITAL} dated {DATE} was compared.
{DOCTOR} of cardiology was consulted and recommended a stress test.
Visiting nurses from {CITY} will see {PATIENT} daily.
Specimen {IDNUM} was sent to {HOSPITAL}.
A message was left for {DOCTOR} on {DATE}.
The patient was born in {CITY} and works as a driver.
I spoke with {PATIENT} 's son about the plan.
Biopsy {IDNUM} of {DATE} showed no malignancy.
She prefers to be called {PATIENT}.
He was last at {HOSPITAL} on {DATE} for the same problem.
Thank you for sending {PATIENT} to us.
Sutures to be removed by Dr. {DOCTOR} on {DATE}.
His wife is in {CITY} until {DATE}.
Transfer to {HOSPITAL} was arranged with {DOCTOR}.
The pharmacy in {CITY} has the number {PHONE}.
""".strip().splitlines()
HEADER = "Patient Name: {PATIENT}\nRecord: {IDNUM}\nAdmission Date: {DATE}\nAttending: {DOCTOR}\n"
FOOTER = "Dictated By: {DOCTOR} , M.D.\nD: {DATE}\ncc: {DOCTOR}\n"

PAPER = {
    "random": (
        "tables 4 and 5",
        {
            "stat-deid": (98.34, 96.92, 97.63),
            "identifinder": (62.21, 75.83, 68.35),
            "heuristics": (93.67, 66.56, 77.82),
            "snow": (95.18, 97.63, 96.39),
            "crfd": (81.94, 81.17, 81.55),
        },
    ),
    "ambiguous": (
        "tables 8 and 9",
        {
            "stat-deid": (96.37, 94.27, 95.31),
            "identifinder": (45.52, 69.04, 54.87),
            "heuristics": (79.69, 44.25, 56.90),
            "snow": (92.93, 91.57, 92.24),
            "crfd": (81.84, 78.08, 79.92),
        },
    ),
    "ambiguous entries": (
        "table 10",
        {
            "stat-deid": (94.02, 92.08, 93.04),
            "identifinder": (50.26, 67.16, 57.49),
            "heuristics": (58.35, 30.08, 39.70),
            "snow": (91.80, 87.83, 89.77),
            "crfd": (74.15, 71.15, 72.62),
        },
    ),
    "out of vocabulary": (
        "tables 11 and 12",
        {
            "stat-deid": (98.12, 96.77, 97.44),
            "identifinder": (52.44, 54.62, 53.51),
            "heuristics": (88.24, 24.79, 38.71),
            "snow": (96.50, 95.08, 95.78),
            "crfd": (82.01, 78.71, 80.32),
        },
    ),
}
"""Precision, recall and F-measure of PHI in the paper's tables. SNoW, there, is judged by people,
locations and organizations only."""
PAPER_TABLE_13 = {
    "stat-deid": 96.49,
    "identifinder": 57.33,
    "snow": 95.08,
    "heuristics": 11.15,
    "crfd": 84.75,
}
"""Recall, in percent, of out-of-vocabulary PHI alone."""
PAPER_TABLE_16 = {
    "target": 56.52,
    "lexical-bigrams": 77.63,
    "syntactic-bigrams": 85.15,
    "parts-of-speech": 74.73,
    "dictionaries": 33.95,
    "clinical-terms": 0.0,
    "orthographic": 0.0,
}
"""F-measure of PHI on the random corpus by one group of features alone."""

Namer = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Counted:
    """Words that are PHI and found, found but none, missed, and neither."""

    right: int = 0
    wrong: int = 0
    missed: int = 0
    neither: int = 0

    def phi(self) -> tuple[float, float, float]:
        return _measures(self.right, self.wrong, self.missed)

    def rest(self) -> tuple[float, float, float]:
        return _measures(self.neither, self.missed, self.wrong)


Found = list[Sequence[Suggestion]]


def run_stat_deid(notes: Path, names: Sequence[str], cores: int) -> None:
    """Print tables 4 to 13 for these recognizers and, where stat-deid is one, table 16."""
    for disjoint in (False, True):
        which = "other" if disjoint else "the same"
        print(f"\nsentences with PHI are {which} in training and testing; headers are the same")
        _run(notes, names, cores, disjoint)


def _run(notes: Path, names: Sequence[str], cores: int, disjoint: bool) -> None:
    host = [path.read_text("utf-8") for path in sorted(notes.rglob("*.txt"))]
    terms = medical_terms(host)
    chance = Random(7)
    fake = Faker("en_US")
    fake.seed_instance(7)
    corpora: dict[str, Namer] = {
        "random": lambda name: random_name(name, fake),
        "ambiguous": lambda name: from_words(name, lambda: chance.choice(terms).title(), chance),
        "out of vocabulary": lambda name: from_words(name, lambda: invented(chance), chance),
    }
    for corpus, namer in corpora.items():
        examples = [example(number, text, namer, disjoint) for number, text in enumerate(host)]
        found: dict[str, Found] = {}
        for name in names:
            started = cpu_seconds()
            found[name] = read_by(name, examples, cores)
            print(f"{corpus}: {name} took {cpu_seconds() - started:.0f} CPU s", flush=True)
        show(corpus, {who: count(examples, each) for who, each in found.items()})
        if corpus == "ambiguous":
            words = {term.title() for term in terms}
            only = {who: count(examples, each, words) for who, each in found.items()}
            show("ambiguous entries", only)
        if corpus == "out of vocabulary":
            show_table_13(examples, found)
        if corpus == "random" and "stat-deid" in names and not disjoint:
            show_table_16(examples, cores)


def cpu_seconds() -> float:
    """CPU seconds of this process and of those that it waited for."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


def read_by(name: str, examples: Sequence[Example], cores: int) -> Found:
    """Read the examples by a recognizer, each half by one trained on the other if it is trained."""
    if name not in SETTINGS:
        schema = schema_of_types(TYPES.values(), "stat-deid")
        spec = RecognizerSpec((name,), schema, ("en",))
        return [*open_recognizer(spec).suggest([each.document for each in examples])]
    return both_halves(examples, SETTINGS[name], cores)


def medical_terms(host: Sequence[str]) -> list[str]:
    """Words of the notes' own language, such as drugs and diseases, that PHI may be taken for."""
    counts: dict[str, int] = {}
    for text in host:
        for word in set(re.findall(r"\b[a-z]{6,12}\b", text)):
            counts[word] = counts.get(word, 0) + 1
    return sorted(word for word, times in counts.items() if 5 <= times <= 60)


def random_name(name: str, fake: Faker) -> str:
    if name in ("PATIENT", "DOCTOR"):
        return f"{fake.first_name()} {fake.last_name()}"
    return f"{fake.last_name()} Hospital" if name == "HOSPITAL" else fake.city()


def from_words(name: str, word: Callable[[], str], chance: Random) -> str:
    if name in ("PATIENT", "DOCTOR"):
        return word() if chance.random() < 0.3 else f"{word()} {word()}"
    return f"{word()} Hospital" if name == "HOSPITAL" else word()


def invented(chance: Random) -> str:
    return "".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=chance.randint(3, 9))).title()


def number_like(name: str, chance: Random) -> str:
    if name == "DATE":
        month, day, year = chance.randint(1, 12), chance.randint(1, 28), chance.randint(1990, 2012)
        forms = (f"{month:02}/{day:02}/{year}", f"{month}/{day}", f"{year}-{month:02}-{day:02}")
        return chance.choice(forms)
    if name == "PHONE":
        return f"{chance.randint(200, 999)}-555-{chance.randint(0, 9999):04}"
    return f"S{chance.randint(10, 99)}-{chance.randint(1000, 99999)}"


def example(number: int, note: str, namer: Namer, disjoint: bool) -> Example:
    """Put PHI into a note: a header, a footer, and a sentence after about every fourth."""
    chance = Random(number)
    own = SENTENCES[number % 2 :: 2] if disjoint else SENTENCES
    parts = [HEADER]
    for line in note.splitlines():
        sentences = [each for each in re.split(r"(?<=[.?!]) ", line) if not names_somebody(each)]
        for place in range(len(sentences), 0, -1):
            if chance.random() < 0.25:
                sentences.insert(place, chance.choice(own))
        parts.append(" ".join(sentences) + "\n")
    parts.append(FOOTER)
    text, tags = filled("".join(parts), namer, chance)
    return Example(Document(f"{number:03}-1", f"{number:03}", text), tags)


def names_somebody(sentence: str) -> bool:
    return bool(_PERSON.search(sentence) or _NAME_AT_START.search(sentence))


def filled(template: str, namer: Namer, chance: Random) -> tuple[str, tuple[Tag, ...]]:
    text, tags, done = "", [], 0
    for slot in re.finditer(r"\{([A-Z]+)\}", template):
        name = slot[1]
        value = namer(name) if name in NAMED else number_like(name, chance)
        text += template[done : slot.start()]
        tags.append(Tag(Span(len(text), len(text) + len(value)), TYPES[name]))
        text += value
        done = slot.end()
    return text + template[done:], tuple(tags)


def both_halves(examples: Sequence[Example], settings: RecognizerSettings, cores: int) -> Found:
    """Read each half of the examples with a model of the other."""
    found: dict[str, Sequence[Suggestion]] = {}
    for half in (0, 1):
        with TemporaryDirectory() as folder:
            with new_model_folder(Path(folder) / "model") as partial:
                train(examples[half::2], settings, partial, cores=cores)
            spec = RecognizerSpec((f"{folder}/model",))
            model, threshold = open_recognizer(spec), spec.threshold
        documents = [each.document for each in examples[1 - half :: 2]]
        kept = above(model.suggest(documents), threshold)
        found |= {document.record_id: each for document, each in zip(documents, kept, strict=True)}
    return [found[each.document.record_id] for each in examples]


def count(
    examples: Sequence[Example],
    found: Sequence[Sequence[Suggestion]],
    words: set[str] | None = None,
) -> Counted:
    """Count words between blanks; with `words`, only those."""
    totals = {(True, True): 0, (True, False): 0, (False, True): 0, (False, False): 0}
    for each, suggestions in zip(examples, found, strict=True):
        for word, is_phi, is_found in judged_words(each, suggestions):
            if words is None or word.strip("().,:;").title() in words:
                totals[is_phi, is_found] += 1
    return Counted(
        totals[True, True], totals[False, True], totals[True, False], totals[False, False]
    )


def judged_words(
    each: Example, suggestions: Sequence[Suggestion]
) -> Iterator[tuple[str, bool, bool]]:
    text = each.document.text
    gold = {at for tag in each.tags for at in range(tag.start, tag.end)}
    covered = {at for one in suggestions for at in range(one.start, one.end)}
    for span in whitespace_tokens(text):
        places = range(span.start, span.end)
        yield span.text_in(text), not gold.isdisjoint(places), not covered.isdisjoint(places)


def show(corpus: str, counted: dict[str, Counted]) -> None:
    table, paper = PAPER[corpus]
    rows = []
    for who, each in counted.items():
        theirs = [f"{figure:.2f}" for figure in paper.get(who, ())] or ["-"] * 3
        rows.append((who, "PHI", *_percent(each.phi()), *theirs))
        rows.append((who, "non-PHI", *_percent(each.rest()), "", "", ""))
    print(f"\n{corpus}: ours, and {table} of Uzuner et al. (2008)")
    print_table(rows, ("method", "class", *("precision", "recall", "F-measure") * 2))


def _percent(figures: Sequence[float]) -> list[str]:
    return [f"{100 * figure:.2f}" for figure in figures]


def show_table_13(examples: Sequence[Example], found: dict[str, Found]) -> None:
    rows = []
    for who, suggestions in found.items():
        hit = total = 0
        for each, of_record in zip(examples, suggestions, strict=True):
            covered = {at for one in of_record for at in range(one.start, one.end)}
            for tag in each.tags:
                if tag.phi_type.name in NAMED:
                    total += 1
                    hit += not covered.isdisjoint(range(tag.start, tag.end))
        rows.append((who, f"{100 * hit / total:.2f}", str(PAPER_TABLE_13.get(who, "-"))))
    print("\nout-of-vocabulary PHI alone: ours, and table 13")
    print_table(rows, ("method", "recall", "recall"))


def show_table_16(examples: Sequence[Example], cores: int) -> None:
    """Stat De-id by each group of features alone, as in the paper, and without each."""
    settings = SETTINGS["stat-deid"]
    groups = settings.features.groups
    rows = []
    for group in groups:
        figures = []
        for kept in ((group,), settings.features.without(group).groups):
            part = replace(settings, features=replace(settings.features, groups=kept))
            figures.append(count(examples, both_halves(examples, part, cores)).phi()[2])
        rows.append((group, *_percent(figures), str(PAPER_TABLE_16.get(group, "-"))))
    print("\nF-measure of PHI: each group alone, all without it, and alone in table 16")
    print_table(rows, ("group", "alone", "without", "alone"))


def _measures(right: int, wrong: int, missed: int) -> tuple[float, float, float]:
    precision = right / (right + wrong) if right + wrong else 0.0
    recall = right / (right + missed) if right + missed else 0.0
    both = precision + recall
    return precision, recall, 2 * precision * recall / both if both else 0.0
