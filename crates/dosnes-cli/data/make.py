#!/usr/bin/env python3
"""Makes the bundled data from their sources; ATTRIBUTION.md says where each comes from.

    python3 crates/dosnes-cli/data/make.py FOLDER

FOLDER holds vega_flights-airport.csv, vega_flights_airport_nodes.csv (graphs/), wikidata_film_actor.mtx.gz,
wikidata_films.tsv, wikidata_actors.txt (dyadic/) and sklearn_digits.csv.gz (vectors/). Only the standard library is used,
and the same sources give the same bytes.
"""

import collections
import csv
import gzip
import io
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent

REGIONS = {
    "Northeast": "CT ME MA NH RI VT NJ NY PA",
    "Southeast": "DC DE FL GA MD NC SC VA WV AL KY MS TN",
    "South Central": "AR LA OK TX",
    "Midwest": "IL IN MI OH WI IA KS MN MO NE ND SD",
    "Mountain": "AZ CO ID MT NV NM UT WY",
    "Pacific": "CA OR WA",
    "Alaska": "AK",
    "Hawaii": "HI",
    "Islands": "PR VI GU AS MP CQ",
}
# The state of four airports is missing in the source.
STATE_OF_AIRPORT = {"CLD": "CA", "HHH": "SC", "MQT": "MI", "SCE": "PA"}
REGION_OF_STATE = {state: region for region, states in REGIONS.items() for state in states.split()}

# Only actors with many films, and only films that connect two of them.
FILMS_AT_LEAST = 22
ACTORS_AT_LEAST = 2
# The source separates actors by commas and so takes the end of "Ed Begley, Jr." for another actor.
ENDS_OF_NAMES = {"Jr.", "Sr."}


def write(name: str, rows: list[list]) -> None:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    data = text.getvalue().encode()
    if name.endswith(".gz"):
        # No name and no time in the header, so that the same rows give the same bytes.
        data = gzip.compress(data, 9, mtime=0)
    (HERE / name).write_bytes(data)
    print(f"{name}: {len(rows) - 1} rows, {len(data)} bytes")


def flights(graphs: pathlib.Path) -> None:
    with open(graphs / "vega_flights-airport.csv", newline="") as file:
        write("flights.csv", list(csv.reader(file)))
    with open(graphs / "vega_flights_airport_nodes.csv", newline="") as file:
        airports = list(csv.DictReader(file))
    columns = ["name", "state", "region", "lat", "lon"]
    for airport in airports:
        airport["state"] = airport["state"] or STATE_OF_AIRPORT[airport["iata"]]
        airport["region"] = REGION_OF_STATE[airport["state"]]
    write("airports.csv", [["iata", *columns]] + [[a["iata"], *(a[c] for c in columns)] for a in airports])


def films(dyadic: pathlib.Path) -> None:
    with gzip.open(dyadic / "wikidata_film_actor.mtx.gz", "rt") as file:
        lines = [line.split() for line in file if not line.startswith("%")]
    casts = collections.defaultdict(set)
    for film, actor in lines[1:]:
        casts[int(film) - 1].add(int(actor) - 1)
    titles = [line.rstrip("\n").split("\t") for line in open(dyadic / "wikidata_films.tsv", encoding="utf-8")]
    names = [line.rstrip("\n") for line in open(dyadic / "wikidata_actors.txt", encoding="utf-8")]
    # The year distinguishes films with the same title. Of the few films with the same title and year, only the first is kept.
    title_of, seen = {}, set()
    for film, (title, year, *_) in enumerate(titles):
        label = f"{title} ({year})" if year else title
        if label not in seen:
            seen.add(label)
            title_of[film] = label
    repeated = {name for name, count in collections.Counter(names).items() if count > 1}
    left_out = repeated | ENDS_OF_NAMES
    casts = {film: {a for a in cast if names[a] not in left_out} for film, cast in casts.items() if film in title_of}
    # Removing films reduces the counts of actors, and the other way round; repeat until nothing changes.
    while True:
        count = collections.Counter(actor for cast in casts.values() for actor in cast)
        trimmed = {film: {a for a in cast if count[a] >= FILMS_AT_LEAST} for film, cast in casts.items()}
        trimmed = {film: cast for film, cast in trimmed.items() if len(cast) >= ACTORS_AT_LEAST}
        if trimmed == casts:
            break
        casts = trimmed
    # Sorted by film, so that gzip finds the repeated titles.
    pairs = sorted((title_of[film], names[actor]) for film, cast in casts.items() for actor in cast)
    write("films.csv.gz", [["name", "film"]] + [[actor, film] for film, actor in pairs])

    # Columns for colours: the main country, genre and time of an actor.
    rows = []
    for actor in sorted({a for cast in casts.values() for a in cast}, key=lambda a: names[a]):
        played = [titles[film] for film, cast in casts.items() if actor in cast]
        years = sorted(int(film[1]) for film in played if film[1])
        median_year = years[len(years) // 2] if years else ""
        rows.append([names[actor], most_common(played, 3), most_common(played, 2), len(played), median_year])
    write("actors.csv.gz", [["name", "country", "genre", "films", "median_year"], *rows])


def most_common(films: list[list[str]], column: int) -> str:
    """The most frequent of the comma-separated values; of equally frequent ones the first in the alphabet."""
    values = (value for film in films if len(film) > column for value in film[column].split(", ") if value)
    counted = collections.Counter(values)
    return min(counted, key=lambda value: (-counted[value], value)) if counted else ""


def digits(vectors: pathlib.Path) -> None:
    with gzip.open(vectors / "sklearn_digits.csv.gz", "rt") as file:
        rows = list(csv.reader(file))
    header = [f"pixel{row}{column}" for row in range(8) for column in range(8)] + ["label"]
    write("digits.csv.gz", [header, *rows])


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    source = pathlib.Path(sys.argv[1])
    flights(source / "graphs")
    films(source / "dyadic")
    digits(source / "vectors")


main()
