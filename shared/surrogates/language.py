"""Which of the known languages records are in, by their small words."""

import re
from collections import Counter
from collections.abc import Iterable
from itertools import islice

from shared.language.languages import UNDETERMINED, Language, known_languages, language

_WORD = re.compile(r"[^\W\d_]+")
_ENOUGH = 50
_MIN_SHARE = 0.02


def language_of(texts: Iterable[str]) -> Language:
    """Return the language with most small words in the first texts; `und` where hardly any are."""
    words = Counter(word for text in islice(texts, _ENOUGH) for word in _WORD.findall(text.lower()))
    counts = {
        code: sum(words[word] for word in language(code).stopwords) for code in known_languages()
    }
    best = max(counts, key=lambda code: counts[code], default=UNDETERMINED)
    return language(best if counts.get(best, 0) > _MIN_SHARE * words.total() else UNDETERMINED)
