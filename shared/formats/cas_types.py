"""Which annotations of a CAS are the tags: asked for, or guessed from what is there.

A type and the feature that holds the label, such as `webanno.custom.PHI` with `kind`; or several
types, `org.example.Name,org.example.Date` or all of a package, `org.example.*`: then each is a
category, with a feature or alone.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from keyword import iskeyword
from pathlib import Path
from typing import Any

from lxml import etree

from shared.errors import FileFormatError
from shared.formats.labels import label_of_type, type_of_label
from shared.model import PhiType
from shared.outside import MALFORMED, parse_json_object

EVERY = ".*"
PLAIN = "uima.tcas.Annotation"
"""What is marked and nothing else; a tag where there is nothing else."""
_SURE = 0.5
"""What holds the label has a value in more than this share of the annotations."""
_LONGEST = 60
_STRUCTURE = re.compile(
    r"uima\.(cas|tcas)\."
    r"|(de\.tudarmstadt\.ukp|org)\.dkpro\.core\.api\.(segmentation|lexmorph|syntax|metadata|xml|pdf)\."
    r"|(de\.tudarmstadt\.ukp)\.(dkpro|clarin|inception)\.(core\.api\.(segmentation|lexmorph|syntax"
    r"|metadata|xml|pdf|structure)|webanno|ui)\."
)
"""Types that mark what a text is made of: tokens, sentences, parts of speech, paragraphs."""
_ABOUT_PHI = re.compile(
    r"(?:phi|PHI|Phi|PII|pii)s?(?![a-z])|(?i:de_?id|privacy|anonym|sensitive|entity)"
)
_LETTER = re.compile(r"[^\W\d_]")
_LABELS = (
    "value", "label", "kind", "type", "category", "class", "tag", "entitytype", "entityname",
    "name", "subtype",
)  # fmt: skip
_NO_LABELS = re.compile(
    r"(?i)id$|identifier|uri|url|text|comment|note|remark|form|lang|source|annotator|user"
    r"|date|time|begin|end|confidence|score|origin|pieceof|surface|lemma"
)


@dataclass(frozen=True, slots=True)
class TagTypes:
    """What is a tag: annotations of one type, of several, or of a package; by a feature or none."""

    type_name: str
    feature: str = ""

    @property
    def names(self) -> list[str]:
        """The types, or the one pattern that stands for those of a package."""
        return [each.strip() for each in self.type_name.split(",")]

    @property
    def are_several(self) -> bool:
        """Whether the name of the type is the category of a tag."""
        return len(self.names) > 1 or self.type_name.endswith(EVERY)

    def holds(self, type_name: str) -> bool:
        """Whether annotations of this type are tags."""
        return type_name in self.names or f"{_package(type_name)}{EVERY}" in self.names

    def phi_type(self, type_name: str, label: str | None) -> PhiType:
        """The PHI type of an annotation with this label."""
        short = short_name(type_name)
        if self.are_several:
            return PhiType(short, label or short)
        return type_of_label(label) if label else PhiType(short, short)

    def written(self, phi_type: PhiType) -> tuple[str, str | None] | None:
        """The type and the label of an annotation that means a PHI type, None where there is none.

        A label of None is that of an annotation without one.
        """
        if self.are_several:
            name = self._name_for(phi_type.category)
            label = None if phi_type.name == phi_type.category else phi_type.name
        else:
            name, short = self.type_name, short_name(self.type_name)
            label = None if phi_type == PhiType(short, short) else label_of_type(phi_type)
        return (name, label) if name and (label is None or self.feature) else None

    def _name_for(self, category: str) -> str:
        package = self.names[0].removesuffix(EVERY)
        if self.type_name.endswith(EVERY) and category.isidentifier():
            return f"{package}.{category}"
        return next((each for each in self.names if short_name(each) == category), "")


@dataclass
class TypeUse:
    """How often each type stands in a text, and with what values of its features of text."""

    counts: Counter[str] = field(default_factory=Counter[str])
    values: defaultdict[tuple[str, str], Counter[str]] = field(
        default_factory=lambda: defaultdict[tuple[str, str], Counter[str]](Counter[str])
    )

    def add(self, annotation: Any, features: Iterable[tuple[str, str]]) -> None:  # noqa: ANN401
        """Count an annotation with those of its features that hold text, by name and value."""
        name = str(annotation.type.name)
        self.counts[name] += 1
        for feature, value in features:
            self.values[name, feature][value] += 1

    def guess(self, asked: Mapping[str, str]) -> TagTypes | None:
        """The types that are tags, as asked for or as it seems; None where nothing could be one.

        Of one package are those that have the best feature, else all; those whose names tell that
        they are about PHI go before others.
        """
        type_name, feature = asked.get("type", ""), asked.get("feature", "")
        if type_name:
            names = [each for each in self.counts if TagTypes(type_name).holds(each)]
            return TagTypes(type_name, feature or self._best(names)[1])
        names = [each for each in self.counts if not is_structure(each)]
        names = names or [each for each in self.counts if each == PLAIN]
        names = [each for each in names if _ABOUT_PHI.search(each)] or names
        packages = {_package(each) for each in names}
        groups = [[each for each in names if _package(each) == of] for of in sorted(packages)]
        if not groups:
            return None
        if feature:
            groups = [
                some for some in groups if any(self.values[each, feature] for each in some)
            ] or groups
        best = max(groups, key=self._best)
        return TagTypes(",".join(sorted(best)), feature or self._best(best)[1])

    def _best(self, names: Sequence[str]) -> tuple[float, str]:
        """The feature of these types that looks most like a label's, "" where none does."""
        features = {feature for name, feature in self.values if name in names}
        total = sum(self.counts[name] for name in names)
        nothing = (min(total, 100) / 1000, "")
        return max([nothing, *((self._score(names, each), each) for each in sorted(features))])

    def _score(self, names: Sequence[str], feature: str) -> float:
        total = sum(self.counts[name] for name in names)
        said = sum((self.values[name, feature] for name in names), Counter[str]())
        are_labels = all(len(each) <= _LONGEST and _LETTER.search(each) for each in said)
        if _NO_LABELS.search(feature) or not are_labels or _share(said.total(), total) <= _SURE:
            return -1.0
        known = feature.lower()
        rank = _LABELS.index(known) if known in _LABELS else len(_LABELS)
        repeated = 1 - _share(len(said), said.total()) if len(said) > 1 else 0.0
        return 1 + repeated + 3 * (1 - rank / len(_LABELS))


def is_structure(type_name: str) -> bool:
    """Whether a type marks what a text is made of and nothing that somebody found in it."""
    return _STRUCTURE.match(type_name) is not None


def short_name(type_name: str) -> str:
    """The name of a type without its package."""
    return type_name.rpartition(".")[2]


def _package(type_name: str) -> str:
    return type_name.rpartition(".")[0]


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def refuse_names(names: Iterable[object], path: Path) -> None:
    """Raise FileFormatError where a feature has a name that is none.

    cassis makes classes of type systems, and what a name says would be run as a program.
    """
    for each in names:
        if not isinstance(each, str) or not each.isidentifier() or iskeyword(each):
            problem = "has a feature with a name that is no word of letters, digits and _"
            raise FileFormatError(path, f"{problem}; correct it")


def features_in_xml(data: bytes) -> Iterator[str]:
    """The names of all features of a type system."""
    root = etree.fromstring(data, etree.XMLParser(resolve_entities=False, no_network=True))
    for each in root.iter("{*}featureDescription"):
        for name in each.iter("{*}name"):
            yield (name.text or "").strip()


def features_in_json(data: bytes, path: Path) -> Iterator[object]:
    """The names of all features of the types in a CAS as JSON."""
    try:
        types = parse_json_object(data).get("%TYPES", {})
        for each in types.values():
            for key, feature in each.items():
                if not key.startswith("%"):
                    yield from (key, feature.get("%NAME", key))
    except MALFORMED:
        raise FileFormatError(path, "is no CAS that can be read; export it again") from None
