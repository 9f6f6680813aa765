"""What the data card says of each mode of a release: what was done, and what none can promise."""

from collections.abc import Mapping
from typing import NamedTuple

from shared.surrogates.surrogate_kinds import ReleaseMode


class CardText(NamedTuple):
    """What stands in the records, in a sentence; the conventions that hold; the limits."""

    title: str
    conventions: tuple[str, ...]
    limits: tuple[str, ...]


_OVERLAPS = "Where tags overlapped, the longest was replaced and the others were left out."
_ALL_THAT_IS_TAGGED = (
    "What nobody tagged as PHI is still there: a release is as good as its gold standard."
)

_CONSISTENT_NAMES = (
    "Names: initials follow one random permutation per patient; the same word of a name has the "
    "same surrogate in every form, a misspelling is misspelt."
)
_ONE_STANDS_OUT = (
    "In the text alone a PHI that was missed stands among surrogates and does not look different, "
    "but surrogates are the same throughout a patient's records: one that differs from them may be "
    "told to be authentic (Osborne and others, 2025)."
)
_TAGS_TELL = (
    "The tags tell what was replaced. What looks like PHI and has none was missed, unless its type "
    "is not tagged in this release: of all misses planted in releases of fabricated records and "
    "of MEDDOCAN a recognizer trained on the tags found more than four of five. The text alone "
    "hides more."
)
_NOTHING_HIDES = (
    "Whatever identifies a person and is no placeholder was missed, and everybody sees that: "
    "nothing hides it as a surrogate would."
)

CARD_TEXTS: Mapping[ReleaseMode, CardText] = {
    ReleaseMode.SURROGATE: CardText(
        "Surrogates stand for what was tagged as PHI, but for what is kept as said below.",
        (
            "Surrogates are made as in Stubbs and Uzuner (2015), section 5.2.",
            "Dates: all dates of a patient are moved by one random number of days, so that "
            "intervals between full dates are exact; holidays become the holiday next to the new "
            "day. A date more than 90 years before the patient's latest is moved nearer, so that "
            "it tells no greater age.",
            _CONSISTENT_NAMES,
            "Ages: kept below 90; from 90 on they are 90, and the patient's other ages are lower "
            "by as much.",
            "Relatives: words that say who somebody is to the patient (two older brothers) are "
            "kept, with an age below 90 or without, since they identify nobody; what else stands "
            "in the tag is left out, and a name is replaced as one.",
            "Places: the same place has the same surrogate; city, state and postal code agree and "
            "lie in the country of the records, which stays where it is named. "
            "Departments are named by what they do, or are Internal Medicine.",
            "Numbers: other digits and letters in the same format; telephone lines 555-0100 to "
            "555-0199, outside North America such as the numbering plan of the country gives to "
            "nobody where that could be told; social security numbers that were never given out, "
            "domains example.com, example.net and example.org or below them, or below .example, "
            ".test or .invalid.",
            _OVERLAPS,
        ),
        (
            _ONE_STANDS_OUT,
            _TAGS_TELL,
            "Intervals between dates, ages below 90, and the course of a disease are kept: who "
            "knows them of a person may know the person again.",
            _ALL_THAT_IS_TAGGED,
        ),
    ),
    ReleaseMode.TAGS: CardText(
        "Placeholders with type and number stand for what was tagged as PHI.",
        (
            "Placeholders: `[DATE-3]` is the third date of the patient. The same person, place, "
            "date or number has the same one in all records of a patient, in every form that "
            "could be told to mean the same; a name that two people have alike has a number of its "
            "own. Numbers of two patients have nothing to do with each other.",
            "Nothing is kept of a tagged text: no intervals between dates, no ages, no sex, no "
            "format.",
            _OVERLAPS,
        ),
        (
            _NOTHING_HIDES,
            "Numbers tell which mentions mean the same, and how often each is named.",
            _ALL_THAT_IS_TAGGED,
        ),
    ),
    ReleaseMode.KEYED: CardText(
        "Placeholders with type and pseudonym stand for what was tagged as PHI.",
        (
            "Placeholders: `[PATIENT-KQZMTRWVBD]`. A pseudonym is ten letters of an HMAC-SHA-256 "
            "of what it stands for. The same person, place, date or number has the same one in all "
            "records of a patient, in every form that could be told to mean the same; a name that "
            "two people have alike has one of its own. Who is who is told by a record and those of "
            "the patient before it, so that records that come later change no pseudonym.",
            "Whoever has the encrypted map and its passphrase can put the originals back; the map "
            "is not part of the release.",
            "Nothing is kept of a tagged text: no intervals between dates, no ages, no sex, no "
            "format.",
            _OVERLAPS,
        ),
        (
            "As long as the map is there, these records are pseudonymous, not anonymous: with it "
            "and its passphrase every patient is known.",
            _NOTHING_HIDES,
            "Pseudonyms tell which mentions mean the same, and how often each is named.",
            _ALL_THAT_IS_TAGGED,
        ),
    ),
    ReleaseMode.SAFE_HARBOR: CardText(
        "Of what was tagged as PHI stays what Safe Harbor (45 CFR 164.514(b)(2)) lets stay; a "
        "placeholder with its type and a number stands for the rest.",
        (
            "Dates: the year alone, as the date was read; a year that tells an age above 89 is "
            "left out, and so are dates that name no year. A year that stands alone and untagged "
            "stays too, as the rule allows, unless it was left out of one of the patient's dates: "
            "then it held the release up.",
            "Ages: kept below 90; from 90 on they are 90+.",
            "Places: everything smaller than a state is a placeholder, hospitals too, since they "
            "tell a place. Of postal codes of the United States three digits stay, 000 where "
            "20,000 people or fewer live in them (Census of 2000); of those of other countries, "
            "for which no such list is known, nothing stays.",
            "Kept as they are, where the schema does not count their type among the identifiers "
            "of HIPAA and the lists of the language know them: states, countries, professions, "
            "relatives by what they are to the patient, sex.",
            "All else: placeholders (`[PATIENT-1]`), the same for the same in all records of a "
            "patient.",
            "A check of its own searched the released records, not knowing how they were made, "
            "for each of the 18 kinds of identifiers; what it found held the release up until it "
            "was mended or dismissed with a reason.",
            _OVERLAPS,
        ),
        (
            "The check knows identifiers by their form, by labels, and names by the gold "
            "standard: a name that nobody tagged, a place without a postal code, or a number "
            "shorter than seven digits without a label can be missed; so can a month or a day of "
            "the week that stands alone. In a language that Tandem has no folder for it knows "
            "neither labels nor words for months and ages.",
            "Beside what may stay, whatever identifies a person and is no placeholder was missed, "
            "and everybody sees that: nothing hides it as a surrogate would.",
            "Safe Harbor also asks that nobody who releases the records knows of a way to tell a "
            "patient from what is left, such as an unusual profession or course of a disease (45 "
            "CFR 164.514(b)(2)(ii)). No program can say so.",
            "The names of the files are those that the records had, unless new ones were asked "
            "for: whether they tell a medical record number is for a person to say, but where one "
            "is that of a tag, the release was held up.",
            "Years, ages, states and countries are kept: who knows them of a person may know the "
            "person again.",
            _ALL_THAT_IS_TAGGED,
        ),
    ),
}  # fmt: skip

KEY_OF_EACH_PATIENT = (
    "Each patient's pseudonyms were made with a random key of its own, which was not kept: those "
    "of two patients cannot be told to mean the same, nor can those of two releases."
)
KEY_OF_ALL = (
    "All pseudonyms were made with one key: what is written alike has the same pseudonym in all "
    "patients, and in every release made with this key, but for two of one patient that are "
    "written alike. Whoever has the key can look for a name that they know."
)


def resampled(said: CardText, probability: float) -> CardText:
    """The text where each mention of a person may have a name of its own."""
    names = (
        f"{_CONSISTENT_NAMES} But with a probability of {probability:.2g} a mention of a person "
        "has a name of its own, drawn anew, of the same sex, so that a name that was missed is "
        "not the only one that differs from the others (Osborne and others, 2025)."
    )
    limit = (
        "Who is who cannot be followed by names: mentions of one person have several, and two "
        "people may by chance have one."
    )
    return said._replace(
        conventions=tuple(
            names if each == _CONSISTENT_NAMES else each for each in said.conventions
        ),
        limits=tuple(limit if each == _ONE_STANDS_OUT else each for each in said.limits),
    )
