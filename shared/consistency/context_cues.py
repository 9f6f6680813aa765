"""How sure it is that a doubtful text is PHI where it stands, told from what stands around it.

`53` is an age before “years old” and none before “%”; `5/9` is a date after “on” and a strength
after “motor”; `Graves` is a physician after “Dr.” and an illness before “disease”. Every list of
words here is a reason for or against, none of them is needed: without one the answer is in between.
"""

import re

from shared.language.ambiguity import is_eponym
from shared.model import EntityKind, Span

SUPPORTED, NEUTRAL, DOUBTFUL, CONTRADICTED = 0.9, 0.5, 0.35, 0.15
"""What stands around speaks for it, says nothing, speaks somewhat and clearly against it."""

_AROUND = 28
_INITIALS = 3
_DEGREES = frozenset({"MD", "PA"})

_AGE_AFTER = re.compile(
    r"[\s-]*(?:y\b|y[./]?\s?o\b|yo[mfwg]?\b|yrs?\b|years?[\s-]+(?:old|of age)|year-|años\b|a\b\.?|"
    r"[- ]?(?:F|M|WM|WF|BM|BF|male|female|man|woman|gentleman|lady)\b)",
    re.IGNORECASE,
)
_AGE_BEFORE = re.compile(
    r"(?:\bage[ds]?|\bedad|\bages? of|\bturned|\bdied at|\bDOB.{0,16}\()\W{0,3}$", re.IGNORECASE
)
_COUNTED_AFTER = re.compile(
    r"\s?(?:%|°|/|[x×*]\s?\d|\^)|[.:,]\d|-\d|\s?-\s\d|\(|"
    r"\+|[\s-]{0,3}(?:mg|mcg|µg|ug|g|gm|gms|grams?|kg|lbs?|pounds|ml|cc|l|liters?|mm|cm|meq|mmol|units?"
    r"|u|iu|beats|bpm|tabs?|tablets?|caps?|capsules?|puffs?|packs?|ppd|drinks?|beers?|cups?|times?"
    r"|days?|weeks?|wks?|months?|mos?|hours?|hrs?|h|min|mins|minutes|seconds|degrees|inch|inches"
    r"|feet|ft|pillows?|flights?|blocks?|steps?|vessels?|stents?|episodes?|points?|sessions"
    r"|percent|pack-years?|cigarettes?|fr|french|gauge|doses?|patches|refills?|visits?|liter|mets|to"
    r"|french|views?|degree|visits|children|sons|daughters|brothers|sisters|grandchildren|siblings"
    r"|th|rd|nd|st|cag|repeats|stools|ounces|oz|am|pm|a\.m|p\.m|o.clock)\b|\s{4,}",
    re.IGNORECASE,
)
_MEASURED_BEFORE = re.compile(r"[\d.][/.:,-]$|[/:#<>=~+^_*×$§.]$")
_COUNTED_BEFORE = re.compile(
    r"\b(?:rhythm|bradycardia|tachycardia|fibrillation|flutter|rate|paced|rotation|flexion|extension|"
    r"abduction|held|stable|stays|steady|pulse)\s(?:at|of|was|is)\s$|\b(?:PGY|RADS)\W{0,2}$|"
    r"[\d.][/.:,-]\s?$|[/:#<>=~+^_*×$§]\s?$|\s-$|\s{4,}$|"
    r"\b(?:HR|P|BP|RR|R|T|HCT|HGB|WBC|PLT|NA|K|CL|BUN|CR|GLU|EF|INR|FEV1|pulse|rate|sats?|SpO2|O2|"
    r"pressure|pressures|temp|temperature|respirations|saturation|weight|wt|ht|height|to|by|x|q|"
    r"every|over|than|about|around|for|past|last|next|first|total|number|no|room|floor|suite|"
    r"apt|bed|unit|size|cycle|grade|stage|type|level|score|scale|class|step|gleason|dose|block|french|co2|mg|"
    r"took|takes?|in|until|from|up|goal|peak|through|on|the|least|most|under|"
    r"above|below|between|only|another|other|some|each|per|all)\W{0,2}$",
    re.IGNORECASE,
)
_KIN_BEFORE = re.compile(
    r"\b(?:mother|father|brothers?|sisters?|sons?|daughters?|uncle|aunt|parents?|grand\w+|wife|"
    r"husband|siblings?|cousin|nephew|niece|sibs?|died|deceased|dead|madre|padre|herman[oa]s?|hij[oa]s?)\b"
    r"[^.\d]*(?:\d{1,3}[^.\d]*)?$",
    re.IGNORECASE,
)
_VERB_BEFORE = re.compile(r"\b(?:was|is|were|are|level of)\s$")
_LISTED = re.compile(r"\.\s")
_LINE_START = re.compile(r"(?:^|\n)\s*$")
_LABEL_BEFORE = re.compile(
    r"(?:#|\bno\.?|\bnumber|\bmrn?|\bpager|\bp|\bbeeper|\bx|\bext\.?|\bextension|\bphone|\btel|"
    r"\bfax|\bunit|\bid|\brecord|\bjob|\bdict\w*|\baccession|\bacct|\baccount|\bserial|\bs/n|"
    r"\bpolicy|\blicense|\bpin|\bssn|\bzip)\W{0,3}$",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?:1[89]|2[0-2])\d\d")
_SHORT_YEAR = re.compile(r"['’]\d\d")
_YEAR_BEFORE = re.compile(
    r"\b(?:in|since|of|from|until|till|by|year|early|late|mid|to|through|and|before|after|around|"
    r"circa|fall|spring|summer|winter|jan\w*|feb\w*|mar\w*|apr\w*|may|june?|july?|aug\w*|sep\w*|"
    r"oct\w*|nov\w*|dec\w*|en|desde)\W{0,3}$",
    re.IGNORECASE,
)
_SENTENCE_START = re.compile(r"(?:^|[.!?:]\s+|\n\s*|[-*#•\d]\.?\s+)$")
_CAPITAL_COMMA = re.compile(r"\b[A-Z][\w.'’]*[^\W\d],\s?$")
_DAY_BEFORE = re.compile(
    r"\b(?:on|since|from|until|till|by|dated?|through|thru|after|before|between|as of|seen|due|"
    r"el|desde|hasta|admitted|admit|discharged|signed|started|stopped|last|next|of|around|"
    r"[dt]|mon|tues?|wed|thurs?|fri|sat|sun|\w+day)\W{0,3}$",
    re.IGNORECASE,
)
_SCORE_AFTER = re.compile(
    r"\s*(?:(?:early |late |mid)?(?:systolic|diastolic)|holosystolic|sem\b|hsm\b|murmur|strength|"
    r"power|reflex|pulse|throughout|bilat|tab|cup|ppd|pack|ns\b|normal|dextrose|m[lL]\b|%|"
    r"in (?:all|the|both|bil|upper|lower)|right|left|upper|lower|blood|bottles|pain|grams|"
    r"crescendo|mid|apical|ejection|vibratory|on (?:the|right|left)|to (?:light|confront)|positive|"
    r"intensity|severity)|[/.]\d",
    re.IGNORECASE,
)
_SCORE_BEFORE = re.compile(
    r"\b(?:strength|power|motor|murmur|grade|reflex(?:es)?|score[ds]?|pain|mmse|gcs|ue|le|pulses?|"
    r"dtrs?|bilaterally|is|was|are|levine|dp|pt|tone|extremities|muscle|orientation|recall|"
    r"delirium|failure|injury|with|likely|rate[sd]?(?: \w+){1,3}|scale)\W{0,2}$|\d[-x]$",
    re.IGNORECASE,
)
_SECONDARY = re.compile(r"\s+[a-z]{3,}")
_TITLE_BEFORE = re.compile(
    r"\b(?:dr|drs|dra|mr|mrs|ms|miss|prof|sr|sra|don|doña|doctor|attending|nurse|resident|fellow|"
    r"pcp|surgeon|dear|husband|wife|son|daughter|brother|sister|mother|father|uncle|aunt|niece|"
    r"nephew|cousin|grandson|granddaughter|partner|friend|nombre|apellidos|médico|name|patient|cc"
    r")\W{1,3}$|\bdrs\.?\s[^.]{2,20}\sand\s$|(?-i:\b[A-Z]\.\s?$|[A-Z]{2,},\s?$)",
    re.IGNORECASE,
)
_PERSON_BEFORE = re.compile(r"\b(?:by|to|from|per|with|for)\s$", re.IGNORECASE)
_THING_BEFORE = re.compile(r"\b(?:the|an?|no|his|her|with an?|el|la|un|una)\s$", re.IGNORECASE)
_KIN = (
    "husband|wife|son|daughter|brother|sister|mother|father|uncle|aunt|niece|nephew|cousin|grandson|"
    "granddaughter|partner|friend"
)
_DEGREE_AFTER = re.compile(
    r",?\s*(?:m\.?\s?d\b|r\.?\s?n\b|ph\.?\s?d\b|d\.?o\b|n\.?p\b|p\.?a\b|pt\b|lpn\b)|"
    r"(?-i:,\s?[A-Z]{2,}\b)|,\s(?:an?|who|his|her|aged?|\d+)\b|"
    r"\s(?:said|says|tells|told|complain|report|denie|states|describe|keeps|asks|asked|came|lives)|"
    rf"['’]s\s(?:office|clinic|service|team|note|family|{_KIN})|"
    rf"\s\((?:man|woman|male|female|{_KIN})",
    re.IGNORECASE,
)
_ILLNESS_AFTER = re.compile(
    r"(?:['’]s?)?[\s-]+(?:disease|syndrome|sign|test|catheter|lymphoma|palsy|esoph|thyroiditis|"
    r"ophthalmopathy|contracture|fracture|procedure|repair|score|scale|line|maneuver|bodies|cyst|"
    r"tube|balloon|drain|nodes?|phenomen|stain|law|smear|fundoplication|reflex|response|criteria|"
    r"lactate|solution|antibod|virus|positive|negative|normal|not done|"
    r"relaps|monitor|diverticul|neuroma|tumor|chorea|aphasia|cells?|bag|dementia|"
    r"orbitopathy|goiter|point|cap|pouch|anastomosis|stage|grade|class|fasciitis|hernia)|"
    r"\s(?:was |is |to )?(?:in place|placed|removed|draining|gravity)",
    re.IGNORECASE,
)
_ZIP_AFTER = re.compile(r"[.,]?\s+\d{5}\b")
_VALUE_AFTER = re.compile(r"[:\s]+\d")
_LATE_NAME = re.compile(r"\b[A-Z]\.?\s[A-Z][\w'’-]+,\s?$")
_HEADING_AFTER = re.compile(r"\s?:")


def context_certainty(text: str, span: Span, kind: EntityKind) -> float:
    """Return from 0 to 1 how likely a doubtful text at `span` is PHI of this kind."""
    before = text[max(0, span.start - _AROUND) : span.start]
    after = text[span.end : span.end + _AROUND]
    if kind is EntityKind.AGE:
        return _age(before, after, span.text_in(text))
    if kind is EntityKind.DATE:
        return _date(before, after, span.text_in(text))
    if kind in (EntityKind.PERSON, EntityKind.USERNAME):
        return _name(before, after, span.text_in(text))
    if kind.is_place:
        return _place(before, after, span.text_in(text), kind)
    return _number(before, after)


def _number(before: str, after: str) -> float:
    if _LABEL_BEFORE.search(before):
        return SUPPORTED
    return (
        CONTRADICTED if _COUNTED_AFTER.match(after) or _MEASURED_BEFORE.search(before) else NEUTRAL
    )


def _age(before: str, after: str, text: str) -> float:
    listed = bool(_LISTED.match(after) and _LINE_START.search(before) and re.match("1?.$", text))
    if listed or _MEASURED_BEFORE.search(before):
        return CONTRADICTED
    if _AGE_AFTER.match(after) or _AGE_BEFORE.search(before):
        return SUPPORTED
    if _KIN_BEFORE.search(before) and not _COUNTED_AFTER.match(after):
        return SUPPORTED
    if _COUNTED_AFTER.match(after) or _COUNTED_BEFORE.search(before):
        return CONTRADICTED
    return DOUBTFUL if _VERB_BEFORE.search(before) else NEUTRAL


def _date(before: str, after: str, text: str) -> float:
    if _YEAR.fullmatch(text):
        return _year(before, after)
    if not any(char.isdigit() for char in text) or _SHORT_YEAR.fullmatch(text):
        return CONTRADICTED if text.islower() else NEUTRAL
    if _SCORE_AFTER.match(after) or (text == "2/2" and _SECONDARY.match(after)):
        return CONTRADICTED
    if _DAY_BEFORE.search(before):
        return SUPPORTED
    if _SCORE_BEFORE.search(before) or not any(char in "/-" for char in text):
        return CONTRADICTED
    return NEUTRAL


def _year(before: str, after: str) -> float:
    if _COUNTED_AFTER.match(after) or _MEASURED_BEFORE.search(before):
        return CONTRADICTED
    return SUPPORTED if _YEAR_BEFORE.search(before) else NEUTRAL


def _name(before: str, after: str, text: str) -> float:
    if _ILLNESS_AFTER.match(after) or _THING_BEFORE.search(before) or text.islower():
        return CONTRADICTED
    if _TITLE_BEFORE.search(before) or _DEGREE_AFTER.match(after):
        return SUPPORTED
    if is_eponym(text) or (len(text) > _INITIALS and _SENTENCE_START.search(before)):
        return DOUBTFUL
    if len(text) <= _INITIALS and _VALUE_AFTER.match(after):
        return CONTRADICTED
    return SUPPORTED if _PERSON_BEFORE.search(before) else NEUTRAL


def is_titled(text: str, span: Span) -> bool:
    """True where a title or a word for a person stands before `span`, or a degree after it."""
    before = text[max(0, span.start - _AROUND) : span.start]
    return bool(_TITLE_BEFORE.search(before) or _DEGREE_AFTER.match(text, span.end))


def _place(before: str, after: str, text: str, kind: EntityKind) -> float:
    if text.islower() or _HEADING_AFTER.match(after):
        return CONTRADICTED
    if kind is EntityKind.STATE:
        degree = text in _DEGREES and _LATE_NAME.search(before)
        likely = _CAPITAL_COMMA.search(before) or (text != "ID" and _ZIP_AFTER.match(after))
        likely = likely and not degree
        return SUPPORTED if likely else CONTRADICTED
    return NEUTRAL
