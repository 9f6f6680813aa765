"""What the CRFs see of a token: named groups of attributes, composed into feature sets."""

from shared.recognition.features.extractor import Extractor, is_lexical
from shared.recognition.features.sets import FEATURE_SETS, GROUPS, FeatureSet, together
from shared.recognition.features.tokenized_document import TokenizedDocument

__all__ = [
    "FEATURE_SETS",
    "GROUPS",
    "Extractor",
    "FeatureSet",
    "TokenizedDocument",
    "is_lexical",
    "together",
]
