"""What a corpus is made of: values only, no files, no windows."""

from shared.model.document import Document
from shared.model.layer import Layer
from shared.model.patient import MergedView, Patient, Section
from shared.model.phi_traits import EntityKind, Identifier, Matching, PersonRole, PhiTraits
from shared.model.phi_type import PhiType
from shared.model.schema import Schema, SchemaCategory, SchemaType
from shared.model.span import Span
from shared.model.tag import SUGGESTED_BY, Origin, SuggestedTag, Tag

__all__ = [
    "SUGGESTED_BY",
    "Document",
    "EntityKind",
    "Identifier",
    "Layer",
    "Matching",
    "MergedView",
    "Origin",
    "Patient",
    "PersonRole",
    "PhiTraits",
    "PhiType",
    "Schema",
    "SchemaCategory",
    "SchemaType",
    "Section",
    "Span",
    "SuggestedTag",
    "Tag",
]
