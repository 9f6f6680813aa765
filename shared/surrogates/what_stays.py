"""Which authentic texts a release may hold as they were."""

from shared.language.languages import Language
from shared.language.region_lists import home_countries, names_country
from shared.surrogates.people.kinship import is_only_kinship
from shared.surrogates.surrogate_kinds import MAY_STAY, SurrogateKind


def may_stay(kind: SurrogateKind, text: str, spoken: Language) -> bool:
    """True for kinds that may stay, words for relatives, and the country of the records."""
    if kind is SurrogateKind.RELATIVE:
        return is_only_kinship(text, spoken)
    if kind not in (SurrogateKind.COUNTRY, SurrogateKind.TERRITORY):
        return kind in MAY_STAY
    return names_country(text, spoken) in home_countries(spoken)
