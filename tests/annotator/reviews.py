"""A review of suggestions for tests, without a session."""

from annotator.suggestions import SuggestionReview
from annotator.tagged_texts import DecidedSuggestions
from shared.language.languages import language
from shared.model.i2b2_2014 import I2B2_2014


def review_of(view, tags, rejections):
    """The review of a patient in English with the types of i2b2 2014."""
    decided = DecidedSuggestions(view, tags, rejections, I2B2_2014, lambda: language("en"))
    return SuggestionReview(view, tags, rejections, decided)
