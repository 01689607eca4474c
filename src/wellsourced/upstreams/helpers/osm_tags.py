"""Kinds of places in everyday words, as OpenStreetMap tags them."""

from __future__ import annotations

TAGGED = {
    "amenity": "restaurant cafe bar pub pharmacy hospital clinic dentist doctors bank atm school university library"
               " cinema theatre post_office police fuel parking kindergarten fast_food ice_cream veterinary marketplace"
               " nightclub charging_station townhall courthouse embassy",
    "tourism": "hotel hostel museum gallery attraction viewpoint camp_site zoo motel guest_house",
    "shop": "supermarket bakery butcher florist bookshop=books hairdresser optician laundry jewelry convenience kiosk"
            " clothes shoes furniture electronics hardware toys chemist greengrocer bicycle",
    "leisure": "park playground stadium sports_centre swimming_pool fitness_centre golf_course marina",
    "railway": "station", "aeroway": "aerodrome",
}  # fmt: skip
ALSO = {
    "coffee shop": "cafe", "coffee": "cafe", "café": "cafe", "coffeehouse": "cafe", "doctor": "doctors",
    "chemist": "pharmacy", "drugstore": "pharmacy", "petrol station": "fuel", "gas station": "fuel",
    "gym": "fitness_centre", "bookstore": "bookshop", "book shop": "bookshop", "grocery": "supermarket",
    "grocery store": "supermarket", "post office": "post_office", "train station": "station", "airport": "aerodrome",
    "swimming pool": "swimming_pool", "fast food": "fast_food", "ice cream": "ice_cream", "cash machine": "atm",
    "vet": "veterinary", "court": "courthouse", "town hall": "townhall", "movie theater": "cinema",
    "bike shop": "bicycle", "barber": "hairdresser", "guest house": "guest_house", "market": "marketplace",
}  # fmt: skip
CUISINE_NAMES = (
    "italian chinese indian japanese thai mexican french greek turkish vietnamese korean spanish lebanese ethiopian"
    " german american pizza sushi burger vegan vegetarian seafood kebab tapas ramen"
)
CUISINES = frozenset(CUISINE_NAMES.split())
FILLERS = frozenset({"a", "an", "the", "good", "best"})
DIETS = frozenset({"vegan", "vegetarian"})


def _table() -> dict[str, tuple[str, str]]:
    table = {}
    for key, names in TAGGED.items():
        for name in names.split():
            word, _, value = name.partition("=")
            table[word] = (key, value or word)
    return table | {spoken: table[word] for spoken, word in ALSO.items() if word in table}


KINDS = _table()


def tags_for(text: str) -> tuple[tuple[str, str], ...]:
    """The tags that all words of a search stand for; none where a word has no tag, since it may be a name."""
    words = [
        word for word in text.casefold().replace("-", " ").split() if word not in {"a", "an", "the", "good", "best"}
    ]
    cuisine = next((word for word in words if word in CUISINES), "")
    rest = " ".join(word for word in words if word != cuisine)
    kind = _kind(rest) if rest else ("amenity", "restaurant") if cuisine else None
    if kind is None:
        return ()
    wanted = (f"diet:{cuisine}", "yes") if cuisine in DIETS else ("cuisine", cuisine)
    return (kind, wanted) if cuisine else (kind,)


def _kind(words: str) -> tuple[str, str] | None:
    single = words.removesuffix("s") if not words.endswith("ss") else words
    spellings = (words, single, f"{words.removesuffix('ies')}y", words.removesuffix("es"))
    return next(
        (KINDS[each] for each in (*spellings, *(s.replace(" ", "_") for s in spellings)) if each in KINDS), None
    )
