"""The three corpora of the Stat De-id paper, made anew, and its tables beside our figures.

Uzuner, Sibanda, Luo and Szolovits (2008) put fabricated PHI into discharge summaries: drawn at
random from lists, drawn from medical terms (ambiguous), or made of random letters (out of
vocabulary). Here sentences with PHI are put between those of clinical notes that hold none, and
sentences of the notes that seem to name somebody are left out. Each half of the notes is read by a
recognizer trained on the other half, once where both have the same sentences with PHI, once where
only headers and footers are the same.
Figures count words between blanks, PHI of whatever type against the rest.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from faker import Faker

from shared.commands.output import print_table
from shared.formats.schema_auto import schema_of_types
from shared.model import Document, Span, Tag
from shared.model.i2b2_2014 import I2B2_2014
from shared.recognition.dictionary_recognizer import DictionaryRecognizer
from shared.recognition.evaluation import above
from shared.recognition.model_folder import load_model, new_model_folder
from shared.recognition.recognizer import Example, Suggestion
from shared.recognition.training.train import train
from shared.recognition.training_settings import RecognizerSettings
from shared.text.tokens import whitespace_tokens

TYPES = {each.name: each.phi_type for each in I2B2_2014.types()}
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
    "random": ("4", {"Stat De-id": (98.34, 96.92, 97.63), "H+D": (93.67, 66.56, 77.82)}),
    "ambiguous": ("8", {"Stat De-id": (96.37, 94.27, 95.31), "H+D": (79.69, 44.25, 56.90)}),
    "ambiguous entries": (
        "10",
        {"Stat De-id": (94.02, 92.08, 93.04), "H+D": (58.35, 30.08, 39.70)},
    ),
    "out of vocabulary": (
        "11",
        {"Stat De-id": (98.12, 96.77, 97.44), "H+D": (88.24, 24.79, 38.71)},
    ),
}
"""Precision, recall and F-measure of PHI in the paper's tables."""
PAPER_TABLE_13 = {"Stat De-id": 96.49, "H+D": 11.15}
"""Recall, in percent, of out-of-vocabulary PHI alone."""

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


def run_stat_deid(notes: Path, settings: RecognizerSettings, cores: int) -> None:
    """Print the shape of tables 4, 8, 10, 11 and 13, the paper's figures first."""
    for disjoint in (False, True):
        which = "other" if disjoint else "the same"
        print(f"\nsentences with PHI are {which} in training and testing; headers are the same")
        _run(notes, settings, cores, disjoint)


def _run(notes: Path, settings: RecognizerSettings, cores: int, disjoint: bool) -> None:
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
        found = {
            "H+D (ours)": DictionaryRecognizer(
                schema_of_types(TYPES.values(), "stat-deid"), ("en",)
            ).suggest([each.document for each in examples]),
            f"{settings.name} (ours)": both_halves(examples, settings, cores),
        }
        show(corpus, {who: count(examples, each) for who, each in found.items()})
        if corpus == "ambiguous":
            words = {term.title() for term in terms}
            only = {who: count(examples, each, words) for who, each in found.items()}
            show("ambiguous entries", only)
        if corpus == "out of vocabulary":
            show_table_13(examples, found)


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


def both_halves(
    examples: Sequence[Example], settings: RecognizerSettings, cores: int
) -> list[Sequence[Suggestion]]:
    """Read each half of the examples with a model of the other."""
    found: dict[str, Sequence[Suggestion]] = {}
    for half in (0, 1):
        with TemporaryDirectory() as folder:
            with new_model_folder(Path(folder) / "model") as partial:
                train(examples[half::2], settings, partial, cores=cores)
            model = load_model(Path(folder) / "model")
        documents = [each.document for each in examples[1 - half :: 2]]
        kept = above(model.suggest(documents), model.card.threshold)
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
    rows = [
        (who, "PHI", *(f"{figure:.2f}" for figure in figures)) for who, figures in paper.items()
    ]
    for who, each in counted.items():
        rows.append((who, "PHI", *(f"{100 * figure:.2f}" for figure in each.phi())))
        rows.append((who, "non-PHI", *(f"{100 * figure:.2f}" for figure in each.rest())))
    print(f"\n{corpus} (as table {table} of Uzuner et al. 2008, whose figures come first)")
    print_table(rows, ("method", "class", "precision", "recall", "F-measure"))


def show_table_13(
    examples: Sequence[Example], found: dict[str, Sequence[Sequence[Suggestion]]]
) -> None:
    rows = [(who, f"{figure:.2f}") for who, figure in PAPER_TABLE_13.items()]
    for who, suggestions in found.items():
        hit = total = 0
        for each, of_record in zip(examples, suggestions, strict=True):
            covered = {at for one in of_record for at in range(one.start, one.end)}
            for tag in each.tags:
                if tag.phi_type.name in NAMED:
                    total += 1
                    hit += not covered.isdisjoint(range(tag.start, tag.end))
        rows.append((who, f"{100 * hit / total:.2f}"))
    print("\nout-of-vocabulary PHI alone (as table 13)")
    print_table(rows, ("method", "recall"))


def _measures(right: int, wrong: int, missed: int) -> tuple[float, float, float]:
    precision = right / (right + wrong) if right + wrong else 0.0
    recall = right / (right + missed) if right + missed else 0.0
    both = precision + recall
    return precision, recall, 2 * precision * recall / both if both else 0.0
