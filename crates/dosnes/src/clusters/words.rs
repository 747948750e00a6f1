//! Words in texts and names.

/// English words that say nothing about a text. Shorter words are left out anyway.
const STOP_WORDS: &str = " about above after again against all also although always among and another any are because \
    been before being below between both but can cannot case could did does doing down during each either else even ever every \
    few first for from further get had has have having her here hers herself him himself his how however into its itself just \
    last less like made make many may might more most much must near neither new next non nor not now off often once one only \
    onto other others our out over own part per quite rather same see several shall she should since some still such than that \
    the their theirs them then there these they this those three through thus too toward towards two under until upon use used \
    uses using various very via was way well were what when where whether which while who whole whom whose why will with within \
    without would yet you your yours der die das und les des une von mit für ";

/// The words of a text, in lower case: letters and digits, at least three, not only digits, no stop words.
pub(super) fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !c.is_alphanumeric() && c != '\'').filter_map(|word| {
        let word = word.trim_matches('\'').to_lowercase();
        let long_enough = word.chars().count() >= 3 && word.chars().any(char::is_alphabetic);
        (long_enough && !STOP_WORDS.contains(&format!(" {word} "))).then_some(word)
    })
}

/// Whether two terms say nearly the same: one contains the other, or they begin alike and are about as long.
pub(super) fn are_alike(a: &str, b: &str) -> bool {
    let (a, b) = (a.to_lowercase(), b.to_lowercase());
    let common = a.chars().zip(b.chars()).take_while(|(x, y)| x == y).count();
    let (short, long) = (a.chars().count().min(b.chars().count()), a.chars().count().max(b.chars().count()));
    a.contains(&b) || b.contains(&a) || (common >= 4 && 2 * common > long && long - short <= 3)
}

/// Whether names are only numbered, such as "pixel_0_1" or "PC7", and tell a reader nothing.
pub(super) fn are_numbered(names: &[String]) -> bool {
    let stem = |name: &String| name.trim_end_matches(|c: char| c.is_ascii_digit() || "_-. ".contains(c)).to_owned();
    let mut stems: Vec<String> = names.iter().map(stem).collect();
    stems.sort_unstable();
    stems.dedup();
    let all_numbers = names.iter().all(|name| name.parse::<f64>().is_ok());
    all_numbers || (names.len() > 3 && 4 * stems.len() <= names.len())
}

/// Names are codes if more than this share of them are.
const MOSTLY: f64 = 0.6;
/// A code has at least so many letters and digits; sequences of nucleotides may be as short as the other number.
const LONG: usize = 8;
const SEQUENCE: usize = 6;

/// Whether names are codes, such as the barcodes of cells or hashes, which tell a reader nothing.
pub(super) fn are_codes(names: &[String]) -> bool {
    let is_code = |name: &String| {
        let stem = name.split(['-', '_', '.', ':']).next().unwrap_or_default();
        let sequence = stem.len() >= SEQUENCE && stem.bytes().all(|c| b"ACGTN".contains(&c));
        let capitals = |c: u8| c.is_ascii_uppercase() || c.is_ascii_digit() || b"-_.:".contains(&c);
        let hexadecimal = |c: u8| c.is_ascii_digit() || (b'a'..=b'f').contains(&c) || c == b'-';
        let mixed = name.bytes().any(|c| c.is_ascii_digit()) && name.len() >= LONG;
        sequence || (mixed && (name.bytes().all(capitals) || name.bytes().all(hexadecimal)))
    };
    let codes = names.iter().filter(|name| is_code(name)).count();
    codes as f64 > MOSTLY * names.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_longer_than_two_letters_and_say_something() {
        let found: Vec<String> = words("The Intouchables, or: 2001 - it's about a Café of lib-rust2").collect();
        assert_eq!(found, ["intouchables", "it's", "café", "lib", "rust2"]);
    }

    #[test]
    fn plurals_and_parts_are_alike_and_genes_of_a_family_are_not() {
        assert!(are_alike("game", "games") && are_alike("election", "elections") && are_alike("Rust", "librust"));
        assert!(!are_alike("game", "play") && !are_alike("CD3D", "CD79A") && !are_alike("united", "union"));
    }

    #[test]
    fn barcodes_and_hashes_are_told_from_names() {
        let texts = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        assert!(are_codes(&texts(&["AAACATACAACCAC", "AAACATTGAGCTAC-1", "GATTACA"])));
        assert!(are_codes(&texts(&["GSM1626793_P1", "ENSG00000139618", "SRR1039508"])));
        assert!(are_codes(&texts(&["9f86d081884c", "60303ae22b998861"])));
        assert!(!are_codes(&texts(&["ATL", "DFW", "CAT", "libc6", "librust-gtk3-dev", "CD3D", "Tom Hanks"])));
    }

    #[test]
    fn numbered_names_are_told_from_names() {
        let texts = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        assert!(are_numbered(&texts(&["pixel_0_1", "pixel_0_2", "pixel_1_1", "pixel_7_7"])));
        assert!(are_numbered(&texts(&["0", "1", "2"])));
        assert!(!are_numbered(&texts(&["CD3D", "MS4A1", "GNLY", "NKG7"])));
    }
}
