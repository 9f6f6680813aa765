"""The other ways in which a text is written elsewhere, and which texts may be something else."""

from shared.text.variants.dates import DateMention, DayOrder, day_order, find_dates, read_date
from shared.text.variants.doubts import doubt, is_common_word, is_eponym
from shared.text.variants.finding import (
    HYPHEN_BREAK,
    FoundVariant,
    find_variants,
    same_day,
    variants,
)
from shared.text.variants.names import PersonName, parse_name
from shared.text.variants.numbers import key_pattern, number_key, number_keys, number_span
from shared.text.variants.rules import Rule, Variant

__all__ = [
    "HYPHEN_BREAK",
    "DateMention",
    "DayOrder",
    "FoundVariant",
    "PersonName",
    "Rule",
    "Variant",
    "day_order",
    "doubt",
    "find_dates",
    "find_variants",
    "is_common_word",
    "is_eponym",
    "key_pattern",
    "number_key",
    "number_keys",
    "number_span",
    "parse_name",
    "read_date",
    "same_day",
    "variants",
]
