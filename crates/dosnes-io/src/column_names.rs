//! Meanings of column names. All lists of names are here, in lower case.

use std::collections::HashMap;
use std::hash::Hash;

/// Pairs of names that only the two ends of an edge have, without blanks and signs.
const END_PAIRS: [(&str, &str); 80] = [
    ("rater", "ratee"),
    ("truster", "trustee"),
    ("source", "target"),
    ("sourceid", "targetid"),
    ("sourcenode", "targetnode"),
    ("sourcename", "targetname"),
    ("from", "to"),
    ("fromid", "toid"),
    ("fromnode", "tonode"),
    ("fromnodeid", "tonodeid"),
    ("fromname", "toname"),
    ("origin", "destination"),
    ("origin", "dest"),
    ("orig", "dest"),
    ("src", "dst"),
    ("src", "dest"),
    ("srcid", "dstid"),
    ("source", "destination"),
    ("source", "sink"),
    ("id1", "id2"),
    ("ida", "idb"),
    ("sender", "receiver"),
    ("sender", "recipient"),
    ("follower", "followee"),
    ("follower", "followed"),
    ("citing", "cited"),
    ("citingpaper", "citedpaper"),
    ("startid", "endid"),
    ("startnode", "endnode"),
    ("ego", "alter"),
    ("caller", "callee"),
    ("exporter", "importer"),
    ("importer", "exporter"),
    ("reporter", "partner"),
    ("parent", "child"),
    ("subject", "object"),
    ("qseqid", "sseqid"),
    ("query", "subject"),
    ("queryid", "subjectid"),
    ("interactora", "interactorb"),
    ("buyer", "seller"),
    ("winner", "loser"),
    ("author", "addressee"),
    ("author", "recipient"),
    ("speaker", "addressee"),
    ("donor", "recipient"),
    ("giver", "receiver"),
    ("lender", "borrower"),
    ("predator", "prey"),
    ("prey", "predator"),
    ("bait", "prey"),
    ("regulator", "target"),
    ("tf", "target"),
    ("departure", "arrival"),
    ("influencer", "influenced"),
    // Zones of taxis in New York, links of road networks.
    ("pulocationid", "dolocationid"),
    ("initnode", "termnode"),
    ("advisor", "student"),
    // German, French, Spanish, Italian, Portuguese, Dutch.
    ("absender", "empfänger"),
    ("quelle", "ziel"),
    ("von", "nach"),
    ("expéditeur", "destinataire"),
    ("départ", "arrivée"),
    ("origine", "destination"),
    ("remitente", "destinatario"),
    ("origen", "destino"),
    ("mittente", "destinatario"),
    ("origem", "destino"),
    ("van", "naar"),
    // Russian, Chinese, Japanese, Korean.
    ("источник", "цель"),
    ("откуда", "куда"),
    ("отправитель", "получатель"),
    ("来源", "目标"),
    ("源", "目标"),
    ("源节点", "目标节点"),
    ("起点", "终点"),
    ("出発", "到着"),
    ("始点", "終点"),
    ("출발", "도착"),
    ("payer", "payee"),
];

/// Words that differ between the names of the two ends: `exporter_iso3`, `importer_iso3`.
const END_WORDS: [(&str, &str); 20] = [
    ("citing", "cited"),
    ("follower", "followee"),
    ("parent", "child"),
    ("source", "target"),
    ("from", "to"),
    ("origin", "destination"),
    ("origin", "dest"),
    ("src", "dst"),
    ("src", "dest"),
    ("source", "dest"),
    ("source", "destination"),
    ("sender", "receiver"),
    ("sender", "recipient"),
    ("exporter", "importer"),
    ("importer", "exporter"),
    ("reporter", "partner"),
    ("caller", "callee"),
    ("orig", "dest"),
    ("pickup", "dropoff"),
    ("boarding", "alighting"),
];

/// Words that differ between the names of the two ends, but also between the parts of an interval or of a series: only beside
/// a word for a thing.
const WEAK_END_WORDS: [(&str, &str); 4] = [("start", "end"), ("a", "b"), ("1", "2"), ("o", "d")];

/// Words beside the above that are not the names of ends: `from_lat`, `origin_time`.
const NO_END_WORDS: [&str; 24] = [
    "lat",
    "latitude",
    "lon",
    "lng",
    "long",
    "longitude",
    "x",
    "y",
    "z",
    "time",
    "date",
    "datetime",
    "timestamp",
    "year",
    "day",
    "month",
    "count",
    "value",
    "weight",
    "degree",
    "port",
    "type",
    "size",
    "index",
];

/// Pairs of names that the ends of an edge may have, and coordinates and intervals too.
const POSSIBLE_END_PAIRS: [(&str, &str); 6] =
    [("u", "v"), ("i", "j"), ("a", "b"), ("head", "tail"), ("start", "end"), ("row", "col")];

/// What `1` and `2`, or `a` and `b`, are appended to for the two ends of an edge.
const END_STEMS: [&str; 41] = [
    "node",
    "vertex",
    "gene",
    "protein",
    "author",
    "user",
    "item",
    "person",
    "people",
    "word",
    "term",
    "name",
    "entity",
    "interactor",
    "actor",
    "member",
    "player",
    "team",
    "country",
    "city",
    "station",
    "airport",
    "paper",
    "document",
    "doc",
    "page",
    "tag",
    "species",
    "taxon",
    "drug",
    "symbol",
    "partner",
    "seq",
    "molecule",
    "mol",
    "compound",
    "language",
    "snp",
    // Spectra, as GNPS links them.
    "clusterid",
    // Pairs of individuals, as PLINK writes them.
    "iid",
    "individual",
];

/// Names of two kinds of items that are linked: items, and what they have in common. Without `id` at the end.
const ITEM_SIDES: [&str; 22] = [
    "user", "customer", "client", "author", "reader", "reviewer", "member", "person", "actor", "student", "patient",
    "visitor", "buyer", "document", "doc", "basket", "species", "cell", "sample", "text", "player", "invoice",
];
const PARTNER_SIDES: [&str; 29] = [
    "item",
    "movie",
    "film",
    "book",
    "product",
    "paper",
    "article",
    "song",
    "track",
    "artist",
    "game",
    "course",
    "article",
    "term",
    "word",
    "tag",
    "business",
    "restaurant",
    "site",
    "page",
    "venue",
    "event",
    "group",
    "diagnosis",
    "plot",
    "gene",
    "otu",
    "stockcode",
    "token",
];

/// The weight of an edge.
const WEIGHTS: [&str; 57] = [
    "weight",
    "weights",
    "w",
    "count",
    "counts",
    "value",
    "n",
    "strength",
    "similarity",
    "score",
    "combined_score",
    "bitscore",
    "bit_score",
    "frequency",
    "freq",
    "number",
    "total",
    "rating",
    "ratings",
    "amount",
    "volume",
    "trips",
    "flow",
    "plays",
    "quantity",
    "cooccurrence",
    "occurrences",
    "passengers",
    "letters",
    "messages",
    "calls",
    "mentions",
    "retweets",
    "citations",
    "flights",
    "visits",
    "meetings",
    "jaccard",
    "cosine",
    "tanimoto",
    "r2",
    "overlap",
    "share",
    "confidence",
    // Relatedness, as PLINK and KING write it.
    "pi_hat",
    "kinship",
    "anzahl",
    "gewicht",
    "häufigkeit",
    "poids",
    "nombre",
    "peso",
    "вес",
    "количество",
    "权重",
    "次数",
    "重み",
];

/// Times, which are no weights.
const TIMES: [&str; 35] = [
    "time",
    "times",
    "timestamp",
    "timestamps",
    "time_stamp",
    "date",
    "datetime",
    "date_time",
    "ts",
    "unixtime",
    "unix_time",
    "epoch",
    "created_at",
    "year",
    "month",
    "day",
    "t",
    "period",
    "years",
    "hour",
    "week",
    "decade",
    "century",
    "created",
    "jahr",
    "datum",
    "uhrzeit",
    "zeit",
    "heure",
    "année",
    "annee",
    "año",
    "anio",
    "fecha",
    "anno",
];

/// Distances, which are the opposite of weights.
const DISTANCES: [&str; 13] = [
    "distance",
    "distances",
    "dist",
    "length",
    "cost",
    "km",
    "miles",
    "duration",
    "travel_time",
    "dissimilarity",
    "divergence",
    "rmsd",
    "distanz",
];

/// Probabilities of chance, which are small where a link is strong, but are no distances.
const CHANCES: [&str; 14] = [
    "evalue", "e_value", "e-value", "pvalue", "p_value", "p-value", "p.value", "pval", "p", "padj", "p_adj", "fdr",
    "qvalue", "q_value",
];

/// Which way edges go: the cells say `Directed` or `Undirected`.
const DIRECTIONS: [&str; 4] = ["type", "direction", "directed", "edge_type"];

/// What the rows of a table of expression or abundance are called if they are not cells or samples.
const FEATURES: [&str; 14] = [
    "gene",
    "genes",
    "gene_id",
    "geneid",
    "gene_name",
    "genename",
    "gene_symbol",
    "ensembl_id",
    "feature",
    "feature_id",
    "probe",
    "id_ref",
    "otu",
    "otu_id",
];

/// Words in the names of columns of classes.
const CLASS_WORDS: [&str; 10] =
    ["cluster", "clusters", "class", "louvain", "leiden", "community", "modularity", "partition", "pclass", "snn"];

/// Names of id columns.
const IDS: [&str; 23] = [
    "id",
    "ids",
    "key",
    "index",
    "node",
    "node_id",
    "nodeid",
    "name",
    "names",
    "item",
    "barcode",
    "cell",
    "cell_id",
    "word",
    "token",
    "title",
    "iata",
    "code",
    "symbol",
    "gene",
    "unnamed: 0",
    "__index_level_0__",
    "",
];

/// Those that are ids even if they contain numbers.
const NUMERIC_IDS: [&str; 11] =
    ["id", "ids", "key", "index", "node", "node_id", "nodeid", "cell_id", "unnamed: 0", "suid", "uid"];

/// Names of class columns, also with numbers.
const LABELS: [&str; 20] = [
    "label",
    "labels",
    "class",
    "classes",
    "target",
    "species",
    "category",
    "cluster",
    "clusters",
    "group",
    "digit",
    "cell_type",
    "celltype",
    "type",
    "louvain",
    "leiden",
    "community",
    "partition",
    "color",
    "colour",
];

/// Names that only a header has, not a row of data.
const ONLY_IN_HEADERS: [&str; 30] = [
    "id",
    "name",
    "names",
    "label",
    "labels",
    "node",
    "nodes",
    "node_id",
    "source",
    "target",
    "from",
    "to",
    "src",
    "dst",
    "weight",
    "origin",
    "destination",
    "title",
    "key",
    "index",
    "class",
    "category",
    "barcode",
    "type",
    "group",
    "cluster",
    "species",
    "description",
    "author",
    "partner",
];

/// Columns of a written embedding; metadata columns with these names are renamed.
const RESERVED: [&str; 6] = ["id", "x", "y", "z", "lat", "lon"];

/// Names of the latitude and of the longitude in a table that is an embedding.
pub(crate) const LATITUDES: [&str; 2] = ["lat", "latitude"];
pub(crate) const LONGITUDES: [&str; 4] = ["lon", "lng", "long", "longitude"];

fn is_among(name: &str, list: &[&str]) -> bool {
    list.contains(&name.trim().to_lowercase().as_str())
}

/// How certain it is that two columns are the ends of an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EndNames {
    /// Nothing else has these names.
    Certain,
    /// Coordinates could have these names too.
    Possible,
    /// The two sides are different kinds of items.
    TwoKinds,
}

/// A name without blanks, signs and what stands in parentheses, in lower case: `:START_ID(Person)` is `startid`.
fn plain(name: &str) -> String {
    words(name).concat()
}

/// The words of a name in lower case, without what stands in parentheses: `fromNode`, `from_node` and `From node` are two.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = vec![String::new()];
    let (mut depth, mut before) = (0_usize, ' ');
    for c in name.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            c if c.is_alphanumeric() => {
                let begins = c.is_uppercase() && before.is_lowercase() || c.is_ascii_digit() != before.is_ascii_digit();
                if begins {
                    words.push(String::new());
                }
                words.last_mut().into_iter().for_each(|word| word.extend(c.to_lowercase()));
            }
            _ => words.push(String::new()),
        }
        before = c;
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Where each value stands first. A table may have millions of columns without a name, so each value is stored once.
fn first_places<T: Eq + Hash>(values: impl Iterator<Item = T>) -> HashMap<T, usize> {
    let mut places = HashMap::new();
    values.enumerate().for_each(|(k, value)| {
        places.entry(value).or_insert(k);
    });
    places
}

/// Two columns whose names differ in one word only, which says that they are the ends of an edge.
fn ends_by_words(names: &[String]) -> Option<(usize, usize)> {
    let places = first_places(names.iter().map(|name| words(name)));
    let begins = |word: &String| END_WORDS.iter().chain(&WEAK_END_WORDS).any(|(first, _)| word == first);
    let mut candidates: Vec<(usize, &Vec<String>)> =
        places.iter().filter(|(words, _)| words.iter().any(begins)).map(|(words, &k)| (k, words)).collect();
    candidates.sort_unstable();
    let is_thing = |word: &String| {
        END_STEMS.contains(&word.as_str())
            || matches!(word.as_str(), "id" | "code" | "iso" | "gene" | "symbol" | "accession")
    };
    let find = |first: &str, second: &str, weak: bool| {
        candidates.iter().find_map(|&(k, from)| {
            let place = from.iter().position(|word| word == first)?;
            let others = || from.iter().enumerate().filter(|(p, _)| *p != place).map(|(_, word)| word);
            let named = others().next().is_some() && !others().any(|word| NO_END_WORDS.contains(&word.as_str()));
            if !named || weak && !others().any(is_thing) {
                return None;
            }
            let with = |other: &str| {
                let mut wanted = from.clone();
                other.clone_into(&mut wanted[place]);
                places.get(&wanted).copied()
            };
            // A series goes on.
            let goes_on = weak && ["c", "d", "0", "3"].iter().any(|other| *other != second && with(other).is_some());
            with(second).filter(|_| !goes_on).map(|to| (k, to))
        })
    };
    let strong = END_WORDS.iter().find_map(|(first, second)| find(first, second, false));
    strong.or_else(|| WEAK_END_WORDS.iter().find_map(|(first, second)| find(first, second, true)))
}

/// The columns that are the two ends of an edge, by their names in the header.
pub(crate) fn find_ends(names: &[String]) -> Option<(usize, usize, EndNames)> {
    let places = first_places(names.iter().map(|name| plain(name)));
    let position = |name: &str| places.get(name).copied();
    let among = |pairs: &[(&str, &str)]| pairs.iter().find_map(|(from, to)| Some((position(from)?, position(to)?)));
    if let Some((from, to)) = among(&END_PAIRS) {
        return Some((from, to, EndNames::Certain));
    }
    // Names that go on (`gene1`, `gene2`, `gene3`) are a series of measurements, not two ends.
    for (first, second, others) in
        [("1", "2", ["0", "3"]), ("a", "b", ["c", "d"]), ("i", "j", ["h", "k"]), ("x", "y", ["w", "z"])]
    {
        let is_series = |stem: &str| others.iter().any(|other| position(&format!("{stem}{other}")).is_some());
        for stem in END_STEMS.into_iter().filter(|stem| !is_series(stem)) {
            let both = |s: &str, t: &str| Some((position(&format!("{stem}{s}"))?, position(&format!("{stem}{t}"))?));
            if let Some((from, to)) =
                both(first, second).or_else(|| both(&format!("id{first}"), &format!("id{second}")))
            {
                return Some((from, to, EndNames::Certain));
            }
        }
    }
    if let Some((from, to)) = ends_by_words(names) {
        return Some((from, to, EndNames::Certain));
    }
    let side = |list: &[&str]| {
        let is_side = |name: &str| {
            let stem = name.strip_suffix("id").or_else(|| name.strip_suffix("name")).unwrap_or(name);
            list.contains(&stem)
        };
        places.iter().filter(|(name, _)| is_side(name)).map(|(_, &k)| k).min()
    };
    if let (Some(item), Some(partner)) = (side(&ITEM_SIDES), side(&PARTNER_SIDES)) {
        return Some((item, partner, EndNames::TwoKinds));
    }
    // `a, b, c` are three of a kind.
    let goes_on = position("c").is_some();
    let possible = among(&POSSIBLE_END_PAIRS).filter(|(from, _)| !(goes_on && plain(&names[*from]) == "a"));
    possible.map(|(from, to)| (from, to, EndNames::Possible))
}

/// Whether a column with this name contains times.
pub(crate) fn is_time(name: &str) -> bool {
    const IN_NAMES: [&str; 7] = ["time", "timestamp", "date", "datetime", "year", "month", "day"];
    is_among(name, &TIMES)
        || !has_weight_in_name(name) && words(name).iter().any(|word| IN_NAMES.contains(&word.as_str()))
}

/// Whether a column with this name contains probabilities of chance.
pub(crate) fn is_chance(name: &str) -> bool {
    is_among(name, &CHANCES)
}

/// Whether a column with this name may say that edges are undirected.
pub(crate) fn is_direction(name: &str) -> bool {
    is_among(name, &DIRECTIONS)
}

/// Whether rows with ids of this name are genes and the like, whose columns are what most people embed.
pub(crate) fn is_feature(name: &str) -> bool {
    let spaced = name.trim().to_lowercase().trim_start_matches('#').replace([' ', '.'], "_");
    FEATURES.contains(&spaced.as_str())
}

/// What the names of all columns together say about each of them. Tables may have a million columns, so it is found out once.
pub(crate) struct ClassNames {
    has_x: bool,
    /// How many names consist of these words and a number at the end.
    series: HashMap<Vec<String>, usize>,
}

impl ClassNames {
    pub(crate) fn new(names: &[String]) -> Self {
        let mut series = HashMap::new();
        for stem in names.iter().filter_map(|name| numbered_stem(name)) {
            *series.entry(stem).or_default() += 1;
        }
        Self { has_x: names.iter().any(|name| name.trim().eq_ignore_ascii_case("x")), series }
    }

    /// Whether a column of numbers with this name is a class rather than a coordinate. `y` is one unless there is an `x`.
    pub(crate) fn is_label(&self, name: &str) -> bool {
        is_among(name, &LABELS) || name.trim().eq_ignore_ascii_case("y") && !self.has_x
    }

    /// Whether a word in the name of a column of integers says that they are classes. `class1`, `class2`, `class3` are a
    /// column for each class instead.
    pub(crate) fn is_class(&self, name: &str) -> bool {
        let is_numbered =
            || numbered_stem(name).is_some_and(|stem| self.series.get(&stem).is_some_and(|&count| count > 1));
        words(name).iter().any(|word| CLASS_WORDS.contains(&word.as_str())) && !is_numbered()
    }
}

/// The words before the number at the end of a name.
fn numbered_stem(name: &str) -> Option<Vec<String>> {
    let mut words = words(name);
    let last = words.pop()?;
    (!words.is_empty() && last.bytes().all(|b| b.is_ascii_digit())).then_some(words)
}

/// Whether numbers in a column with this name are what the others are to explain, such as `outcome`.
pub(crate) fn is_outcome(name: &str) -> bool {
    const OUTCOMES: [&str; 12] = [
        "outcome",
        "diagnosis",
        "survived",
        "churn",
        "quality",
        "output",
        "response",
        "y",
        "result",
        "status",
        "default",
        "disease",
    ];
    words(name).last().is_some_and(|word| OUTCOMES.contains(&word.as_str()))
}

/// Whether numbers in a column with this name are codes of something, such as places.
pub(crate) fn is_code(name: &str) -> bool {
    const CODES: [&str; 37] = [
        "subj",
        "subject",
        "participant",
        "respondent",
        "trial",
        "block",
        "session",
        "visit",
        "wave",
        "arm",
        "sex",
        "gender",
        "race",
        "ethnicity",
        "condition",
        "phone",
        "code",
        "codes",
        "geocode",
        "geoid",
        "fips",
        "zip",
        "zipcode",
        "postcode",
        "plz",
        "isbn",
        "issn",
        "ean",
        "naics",
        "nace",
        "isic",
        "uuid",
        "rep",
        "replicate",
        "batch",
        "plate",
        "fold",
    ];
    words(name).last().is_some_and(|word| CODES.contains(&word.as_str()))
}

/// Whether a column with this name contains distances: `distance_km`, `travel time (min)`.
pub(crate) fn is_distance(name: &str) -> bool {
    const IN_NAMES: [&str; 20] = [
        "distance",
        "distances",
        "dist",
        "km",
        "kilometres",
        "kilometers",
        "miles",
        "duration",
        "dissimilarity",
        "divergence",
        "rmsd",
        "latency",
        "fst",
        "hamming",
        "levenshtein",
        "euclidean",
        "manhattan",
        "unifrac",
        "rank",
        "error",
    ];
    const WAYS: [&str; 6] = ["travel", "drive", "driving", "walking", "transit", "flight"];
    let words = words(name);
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    is_among(name, &DISTANCES) || has(&IN_NAMES) || has(&WAYS) && has(&["time", "minutes", "hours"])
}

/// Whether the name of a file says that it has distances: `mothur.dist`, `distances.txt`.
pub(crate) fn is_distance_file(file: &str) -> bool {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file).to_lowercase();
    name.rsplit('.').next() == Some("dist")
        || name.split(|c: char| !c.is_alphanumeric()).any(|word| matches!(word, "distance" | "distances"))
}

/// Whether columns with these names are the latitude and longitude of places, and no others.
pub(crate) fn are_places(names: &[&str]) -> bool {
    let has = |list: &[&str]| names.iter().any(|name| words(name).iter().any(|word| list.contains(&word.as_str())));
    names.len() == 2 && has(&LATITUDES) && has(&LONGITUDES)
}

/// Which columns say where something is in a genome: beside a column of chromosomes, those of its start and end.
pub(crate) fn genome_places(names: &[String]) -> Vec<usize> {
    const CHROMOSOMES: [&str; 7] = ["chr", "chrom", "chromosome", "seqname", "seqnames", "seqid", "contig"];
    const PLACES: [&str; 16] = [
        "start",
        "end",
        "stop",
        "pos",
        "position",
        "length",
        "strand",
        "startposition",
        "endposition",
        "chromstart",
        "chromend",
        "txstart",
        "txend",
        "bp",
        "width",
        "genomelength",
    ];
    let plain: Vec<String> = names.iter().map(|name| plain(name)).collect();
    let chromosome = plain.iter().position(|name| CHROMOSOMES.contains(&name.as_str()));
    let places = (0..names.len()).filter(|&k| PLACES.contains(&plain[k].as_str()));
    chromosome.map_or_else(Vec::new, |chromosome| std::iter::once(chromosome).chain(places).collect())
}

/// Which columns of an answer to a questionnaire of Qualtrics are about how it was given.
pub(crate) fn about_answers(names: &[String]) -> Vec<usize> {
    const ABOUT: [&str; 8] = [
        "status",
        "progress",
        "duration (in seconds)",
        "finished",
        "locationlatitude",
        "locationlongitude",
        "q_totalduration",
        "q_recaptchascore",
    ];
    let lower: Vec<String> = names.iter().map(|name| name.trim().to_lowercase()).collect();
    let is_qualtrics = ["startdate", "enddate", "progress"].iter().all(|name| lower.iter().any(|n| n == name));
    (0..names.len()).filter(|&k| is_qualtrics && ABOUT.contains(&lower[k].as_str())).collect()
}

/// Whether a column with this name contains weights.
pub(crate) fn is_weight(name: &str) -> bool {
    is_among(name, &WEIGHTS)
}

/// Whether a word in the name of a column says that it contains weights: `value_usd`, `number of letters`.
pub(crate) fn has_weight_in_name(name: &str) -> bool {
    words(name).iter().any(|word| word.len() > 1 && WEIGHTS.contains(&word.as_str()))
}

/// Whether a column with this name contains ids.
pub(crate) fn is_id(name: &str) -> bool {
    is_among(name, &IDS) || words(name).last().is_some_and(|word| word == "id")
}

/// Whether a column of numbers with this name contains ids: `id`, `PassengerId`, or what pandas calls a column without a
/// name.
pub(crate) fn is_numeric_id(name: &str) -> bool {
    is_among(name, &NUMERIC_IDS)
        || words(name).last().is_some_and(|word| word == "id")
        || name.trim().to_lowercase().starts_with("unnamed: ")
}

/// Whether the numbers of a column with this name are no weights: those of ids, codes and sorts, places, and places in a list.
pub(crate) fn is_no_weight(name: &str) -> bool {
    const PLACES: [&str; 8] = ["lat", "latitude", "lon", "lng", "longitude", "position", "order", "sequence"];
    let words = words(name);
    is_numeric_id(name)
        || words.iter().any(|word| {
            matches!(word.as_str(), "id" | "ids" | "code" | "codes" | "type" | "class" | "layer" | "chr" | "bp")
        })
        || words.last().is_some_and(|word| PLACES.contains(&word.as_str()))
}

/// Whether a column with this name counts minutes or the like, of a way or of a talk.
pub(crate) fn is_lapse(name: &str) -> bool {
    const UNITS: [&str; 10] =
        ["minutes", "minute", "mins", "hours", "hour", "hrs", "seconds", "secs", "milliseconds", "ms"];
    words(name).last().is_some_and(|word| UNITS.contains(&word.as_str()))
}

/// Whether two names have the same words but for one, and a word for a thing that has an id is among those: `home_tract` and
/// `work_tract`, but not `age_wife` and `age_husband`.
pub(crate) fn could_name_ends(first: &str, second: &str) -> bool {
    const THINGS: [&str; 14] = [
        "id", "code", "iso", "zone", "tract", "location", "area", "region", "county", "district", "idx", "index",
        "key", "nr",
    ];
    let (first, second) = (words(first), words(second));
    let is_thing = |word: &String| THINGS.contains(&word.as_str()) || END_STEMS.contains(&word.as_str());
    let same = || first.iter().zip(&second).filter(|(a, b)| a == b).map(|(word, _)| word);
    first.len() == second.len() && same().count() + 1 == first.len() && same().any(is_thing)
}

/// Whether a word in a name says that a row has the sums of others: `North subtotal`.
pub(crate) fn has_total_in_name(name: &str) -> bool {
    const WORDS: [&str; 9] =
        ["total", "totals", "subtotal", "subtotals", "sum", "summe", "zwischensumme", "gesamt", "subtotales"];
    words(name).iter().any(|word| WORDS.contains(&word.as_str()))
}

/// Whether a column of numbers with this name numbers the rows.
pub(crate) fn is_row_number(name: &str) -> bool {
    const NUMBERS: [&str; 22] = [
        "#",
        "no",
        "no.",
        "nr",
        "nr.",
        "№",
        "n°",
        "lfd. nr.",
        "lfd.nr.",
        "lfd nr",
        "s.no",
        "s.no.",
        "sno",
        "sl no",
        "sr no",
        "row",
        "rownum",
        "row number",
        "rownames",
        "level_0",
        "编号",
        "序号",
    ];
    is_among(name, &NUMBERS)
}

/// Whether a column with this name has years or dates.
pub(crate) fn is_calendar(name: &str) -> bool {
    const WORDS: [&str; 12] =
        ["date", "datetime", "timestamp", "year", "datum", "jahr", "année", "annee", "fecha", "año", "дата", "год"];
    words(name).iter().any(|word| WORDS.contains(&word.as_str())) || matches!(name, "日期" | "年份" | "年" | "日付")
}

/// Whether a row or column with this name has the sums of the others.
pub(crate) fn is_total(name: &str) -> bool {
    const TOTALS: [&str; 22] = [
        "total",
        "totals",
        "sum",
        "sums",
        "grand total",
        "row sum",
        "row total",
        "column total",
        "col total",
        "degree",
        "all",
        "summe",
        "gesamt",
        "insgesamt",
        "somme",
        "ensemble",
        "suma",
        "totale",
        "soma",
        "итого",
        "合计",
        "合計",
    ];
    is_among(name.trim_end_matches([':', '.']), &TOTALS)
}

/// Whether a row with this name sums up the others.
pub(crate) fn is_summary(name: &str) -> bool {
    const SUMMARIES: [&str; 18] = [
        "mean",
        "average",
        "avg",
        "median",
        "sd",
        "std",
        "stdev",
        "std dev",
        "standard deviation",
        "variance",
        "min",
        "max",
        "mittelwert",
        "durchschnitt",
        "moyenne",
        "media",
        "média",
        "среднее",
    ];
    is_total(name) || is_among(name.trim_end_matches([':', '.']), &SUMMARIES)
}

/// Whether a first row with this cell can only be a header.
pub(crate) fn is_only_in_headers(cell: &str) -> bool {
    ONLY_IN_HEADERS.contains(&cell.to_lowercase().as_str())
}

/// The name of a metadata column in a written embedding.
pub(crate) fn written_name(name: &str) -> String {
    if RESERVED.contains(&name.to_lowercase().as_str()) { format!("input_{name}") } else { name.to_owned() }
}

/// The name that a column had before it was written.
pub(crate) fn original_name(name: String) -> String {
    match name.strip_prefix("input_") {
        Some(original) if written_name(original) == name => original.to_owned(),
        _ => name,
    }
}

/// The column that a user means by `name`: its name, its name ignoring case, or its number, counted from 1.
pub(crate) fn find_column(names: &[String], name: &str) -> Option<usize> {
    names
        .iter()
        .position(|n| n == name)
        .or_else(|| names.iter().position(|n| n.eq_ignore_ascii_case(name)))
        .or_else(|| name.parse::<usize>().ok().filter(|k| (1..=names.len()).contains(k)).map(|k| k - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends(names: &[&str]) -> Option<(usize, usize, EndNames)> {
        find_ends(&names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn two_numbered_names_are_ends_but_a_series_is_not() {
        assert_eq!(ends(&["gene1", "gene2", "score"]), Some((0, 1, EndNames::Certain)));
        assert_eq!(ends(&["Protein_A", "Protein_B"]), Some((0, 1, EndNames::Certain)));
        assert_eq!(ends(&["GENE0", "GENE1", "GENE2"]), None);
        assert_eq!(ends(&["station1", "station2", "station3"]), None);
    }

    #[test]
    fn one_word_tells_the_ends_apart() {
        for (names, expected) in [
            (vec!["exporter_iso3", "importer_iso3", "year"], (0, 1)),
            (vec!["ride", "start_station_id", "end_station_id"], (1, 2)),
            (vec!["BioGRID ID A", "BioGRID ID B", "Score"], (0, 1)),
            (vec!["ID(s) interactor A", "ID(s) interactor B"], (0, 1)),
            (vec!["fromStationName", "toStationName"], (0, 1)),
            (vec![":START_ID(Person)", "role", ":END_ID(Film)"], (0, 2)),
            (vec!["orig_zone", "dest_zone", "car"], (0, 1)),
            (vec!["pickup_datetime", "dropoff_datetime", "pickup_zone", "dropoff_zone"], (2, 3)),
            (vec!["year", "iso_o", "iso_d", "gdp_o", "gdp_d"], (1, 2)),
            (vec!["CLUSTERID1", "CLUSTERID2", "DeltaMZ"], (0, 1)),
        ] {
            assert_eq!(ends(&names), Some((expected.0, expected.1, EndNames::Certain)), "{names:?}");
        }
        for names in [
            vec!["start_time", "end_time"],
            vec!["from_lat", "to_lat"],
            vec!["UMAP_1", "UMAP_2"],
            vec!["PC1", "PC2", "PC3"],
            vec!["mean 1", "mean 2"],
            vec!["gene a", "gene b", "gene c"],
            vec!["pickup_datetime", "dropoff_datetime", "fare"],
            vec!["gdp_o", "gdp_d"],
        ] {
            assert_eq!(ends(&names), None, "{names:?}");
        }
    }

    #[test]
    fn words_in_names_say_what_columns_are() {
        assert!(is_time("sent_date") && is_time("Année") && !is_time("lifetime") && !is_time("update"));
        assert!(has_weight_in_name("value_usd") && has_weight_in_name("Trade Value") && !has_weight_in_name("x_n"));
        let alone = ClassNames::new(&[]);
        assert!(
            alone.is_class("seurat_clusters") && alone.is_class("modularity_class") && !alone.is_class("classical")
        );
        let series = ["class0", "class1", "x"].map(str::to_owned);
        assert!(!ClassNames::new(&series).is_class("class1") && ClassNames::new(&series[1..]).is_class("class1"));
        assert!(is_no_weight("start_lat") && is_no_weight("stop_sequence") && !is_no_weight("sequence_identity"));
        assert!(is_lapse("travel minutes") && !is_lapse("minutes_per_call") && !is_lapse("items"));
        assert!(could_name_ends("homeTract", "workTract") && could_name_ends("area_of_birth", "area_of_work"));
        assert!(
            !could_name_ends("age_wife", "age_husband") && !could_name_ends("a", "b") && !could_name_ends("id", "ids")
        );
        assert!(has_total_in_name("North subtotal") && !has_total_in_name("totality"));
        assert!(is_code("w_geocode") && is_code("ZIP code") && is_code("countryCode") && !is_code("decoded"));
    }
}
