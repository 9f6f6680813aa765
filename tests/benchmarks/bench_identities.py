"""How well placeholders tell who, where and when is the same, and what later records change.

Run it as a program: `python -m tests.benchmarks.bench_identities [pairs] [later] [--records N]
[--seed N]`.

pairs  of fabricated English patients (templates that the rules were not made with), of whom is
       known who and where each tag is: pairs of tags of one type in one patient that mean the same
       and have the same placeholder, that mean the same and have two, that mean two and have one
later  releases without a person, with masks and pseudonyms, of the first records of each patient
       and of all: how often one of the first comes out otherwise, by masks or by anything else
"""

import argparse
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory

from adjudicator.release.doubt import DoubtRule, DoubtSettings
from adjudicator.release.source import SurrogateOptions
from adjudicator.release.unattended import make_unattended, schema_of_records
from shared.formats.base import Record
from shared.formats.corpus import Corpus
from shared.language.languages import language
from shared.model.i2b2_2014 import I2B2_2014
from shared.surrogates.identities import identities_of
from shared.surrogates.mentions import mentions_of
from shared.surrogates.people.kinship import with_named_relatives
from shared.surrogates.surrogate_kinds import ReleaseMode, SurrogateSettings, kinds_of
from shared.synthetic.patients import FabricatedPatient, fabricate
from tests.benchmarks.bench_release_cost import right, suggested
from tests.benchmarks.bench_unattended import corpora

_MASK = re.compile(r"(?:\[[A-Z]+\]\s*)+")


def main() -> None:
    parser = argparse.ArgumentParser(description="Placeholders that are the same.")
    parser.add_argument("what", nargs="*", default=["pairs", "later"])
    parser.add_argument("--records", type=int, default=40, help="of each corpus, about")
    parser.add_argument("--seed", type=int, default=16)
    arguments = parser.parse_args()
    if "pairs" in arguments.what:
        _tell_pairs(arguments.records, arguments.seed)
    if "later" in arguments.what:
        _tell_later(arguments.records, arguments.seed)


def _tell_pairs(records: int, seed: int) -> None:
    counts: dict[str, Counter[str]] = {}
    for one in fabricate(max(1, records // 4), seed, templates="held-out"):
        for kind, outcome in _pairs(one):
            counts.setdefault(kind, Counter())[outcome] += 1
    print(f"{'kind':14}{'one, told':>12}{'one, parted':>13}{'two, merged':>13}")
    for kind, seen in sorted(counts.items()):
        print(f"{kind:14}{seen['told']:>12}{seen['parted']:>13}{seen['merged']:>13}")


def _pairs(one: FabricatedPatient) -> Iterator[tuple[str, str]]:
    settings = SurrogateSettings(kinds_of(I2B2_2014), language("en"), mode=ReleaseMode.KEYED)
    tagged, _ = mentions_of(one.patient, one.gold, settings.kinds)
    mentions = with_named_relatives(tagged, one.patient, settings)
    identities = identities_of(one.patient, mentions, settings)
    known: Mapping[tuple[str, str], str] = {**one.people, **one.places}
    told = [each for each in mentions if (each.record_id, each.tag.id) in known]
    for first, second in combinations(told, 2):
        if first.tag.phi_type != second.tag.phi_type:
            continue
        same = known[first.record_id, first.tag.id] == known[second.record_id, second.tag.id]
        alike = identities[first.number] == identities[second.number]
        if same or alike:
            yield first.kind, "merged" if not same else "told" if alike else "parted"


def _tell_later(records: int, seed: int) -> None:
    print(f"{'records':10}{'tags':7}{'compared':>9}{'further masked':>16}{'otherwise':>11}")
    with TemporaryDirectory() as folder:
        key = Path(folder) / "key"
        key.write_bytes(bytes(range(40)))
        for name, tagged in corpora(records, seed):
            for source, read in (("rules", suggested(tagged)), ("gold", right(tagged))):
                seen = Counter(_changes(read, key))
                changed = f"{seen['masked']:>16}{seen['otherwise']:>11}"
                print(f"{name:10}{source:7}{seen.total():>9}{changed}", flush=True)


def _changes(records: Sequence[Record], key: Path) -> Iterator[str]:
    """What becomes of each of the first records of each patient once all are there."""
    by_patient: dict[str, list[Record]] = {}
    for each in records:
        by_patient.setdefault(each.document.patient_id, []).append(each)
    for own in by_patient.values():
        whole = _released(own, key)
        for count in range(1, len(own)):
            for record_id, text in _released(own[:count], key).items():
                if record_id in whole:
                    yield _change(text, whole[record_id])


def _change(before: str, after: str) -> str:
    if before == after:
        return "same"
    kept = map(re.escape, _MASK.split(after))
    is_masked = re.fullmatch(".+?".join(kept), before, re.DOTALL)
    return "masked" if is_masked else "otherwise"


def _released(records: Sequence[Record], key: Path) -> dict[str, str]:
    made = make_unattended(
        Corpus(tuple(records)),
        schema_of_records(records),
        SurrogateOptions(mode=ReleaseMode.KEYED, key=key),
        DoubtSettings(DoubtRule.MASK, new_ids=True),
    )
    documents = (each for one in made.draft.surrogates for each in one.documents)
    return {each.record_id: each.text for each in documents}


if __name__ == "__main__":
    main()
