"""The plainest script that finds repeats: what the check is measured against, in a process.

    python tests/benchmarks/find_repeats.py FOLDER

It reads records in XML as of i2b2, and prints where a text that is tagged in a patient's records
stands in them untagged. It refuses nothing, knows no words and no line ends.
"""

import sys
from collections import defaultdict
from pathlib import Path

from lxml import etree  # quicker than ElementTree here

Spans = list[tuple[int, int]]


def main() -> None:
    patients: dict[str, list[tuple[str, str, Spans]]] = defaultdict(list)
    for path in sorted(Path(sys.argv[1]).glob("*.xml")):
        root = etree.parse(path).getroot()
        text = root.findtext("TEXT")
        spans = [(int(tag.get("start")), int(tag.get("end"))) for tag in root.find("TAGS")]
        patients[path.stem.rpartition("-")[0]].append((path.stem, text, spans))
    for records in patients.values():
        show_repeats(records)


def show_repeats(records: list[tuple[str, str, Spans]]) -> None:
    phrases = {text[start:end] for _, text, spans in records for start, end in spans}
    for name, text, spans in records:
        for phrase in phrases:
            at = text.find(phrase)
            while at >= 0:
                end = at + len(phrase)
                if not any(first < end and at < last for first, last in spans):
                    print(name, at, end)
                at = text.find(phrase, end)


if __name__ == "__main__":
    main()
