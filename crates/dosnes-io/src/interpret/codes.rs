//! Numbers that stand for missing values: −99, 999.9, and 9 on a scale from 1 to 5.

use dosnes::ndarray::Array2;

use crate::note::Note;
use crate::raw::{Matrix, RawMatrix};

/// Numbers that surveys and instruments write for what they do not know.
const CODES: [f64; 34] = [
    -9.0, -88.0, -98.0, -99.0, -99.9, -888.0, -998.0, -999.0, // Well logs.
    -999.25, -999.9, -999.99, -8888.0, -9998.0, -9999.0, -9999.9, -9999.99, -32_768.0, -99_999.0, 98.0, 99.0, 99.9,
    99.99, 888.0, 998.0, 999.0, 999.9, 999.99, 8888.0, 9998.0, 9999.0, 9999.9, 9999.99, 99_999.0, 99_999.9,
];

/// Numbers that are codes beside one of the above: not known, refused, does not apply.
const COMPANIONS: [f64; 14] =
    [-7.0, -8.0, -66.0, -77.0, -97.0, -777.0, -997.0, 66.0, 77.0, 88.0, 97.0, 777.0, 997.0, 9997.0];

/// Whether a number may be one of these codes, which is quicker to find out than which one.
fn may_be_code(v: f64) -> bool {
    matches!(
        v.abs() as u64,
        7..=9 | 66 | 77 | 88 | 97..=99 | 777 | 888 | 997..=999 | 8888 | 9997..=9999 | 32_768 | 99_999
    )
}

/// Whether two numbers are the same in single precision: 999.9 has other digits there.
fn same_in_single(a: f64, b: f64) -> bool {
    a as f32 == b as f32
}

/// Makes missing values of the numbers that stand for them. Those that do not occur are a note.
pub(super) fn clear(matrix: &mut Matrix, codes: &[f64]) -> Option<Note> {
    let mut counts = vec![0_usize; codes.len()];
    let mut is_code = |equal: &dyn Fn(f64) -> bool| {
        let found = codes.iter().position(|&code| equal(code));
        found.is_some_and(|k| {
            counts[k] += 1;
            true
        })
    };
    match matrix {
        Matrix::Double(x) => x.iter_mut().filter(|v| is_code(&|code| code == **v)).for_each(|v| *v = f64::NAN),
        Matrix::Single(x) => {
            x.iter_mut().filter(|v| is_code(&|code| same_in_single(f64::from(**v), code))).for_each(|v| *v = f32::NAN);
        }
        Matrix::Sparse(_) => return None,
    }
    let absent: Vec<String> =
        codes.iter().zip(counts).filter(|(_, count)| *count == 0).map(|(code, _)| code.to_string()).collect();
    (!absent.is_empty()).then_some(Note::CodesAbsent(absent))
}

/// Codes for missing values: numbers of nines that are farther from all others of their column than these are from each
/// other, or the only ones below zero. A number that is an ordinary one in most columns that have it is no code: 98 of 255 steps of grey
/// may be alone in a pixel that is nearly always black.
pub(super) fn found<T: Copy>(x: &Array2<T>, raw: &RawMatrix) -> Option<Note>
where
    f64: From<T>,
{
    let all = || CODES.into_iter().chain(COMPANIONS);
    let mut found: Vec<Occurrences> =
        all().map(|code| Occurrences { code, columns: 0, far_in: 0, count: 0, first: None }).collect();
    for (j, column) in x.columns().into_iter().enumerate() {
        let is_code = |v: f64| may_be_code(v) && all().any(|code| same_in_single(v, code));
        if !column.iter().any(|&v| is_code(f64::from(v))) {
            continue;
        }
        // It is looked at once for each code.
        let column: Vec<f64> = column.iter().map(|&v| f64::from(v)).collect();
        let (low, high) = column
            .iter()
            .filter(|v| !v.is_nan() && !is_code(**v))
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &v| (low.min(v), high.max(v)));
        for found in &mut found {
            let v = found.code;
            let count = column.iter().filter(|&&other| same_in_single(other, v)).count();
            if count == 0 {
                continue;
            }
            found.columns += 1;
            // The only negative number of a column, unless it is small and occurs once.
            let is_only_negative = v < 0.0 && low >= 0.0 && (v <= -99.0 || count > 1);
            if low < high && ((low - v).max(v - high) >= high - low || is_only_negative) {
                found.far_in += 1;
                found.count += count;
                let row = || column.iter().position(|&other| same_in_single(other, v));
                found.first = found.first.or_else(|| row().map(|i| (j, i)));
            }
        }
    }
    let is_code = |found: &&Occurrences| found.far_in > 0 && 2 * found.far_in >= found.columns;
    let mut found: Vec<&Occurrences> = found.iter().filter(is_code).collect();
    if found.iter().all(|found| COMPANIONS.contains(&found.code)) {
        return of_scale(x, raw);
    }
    found.sort_by(|a, b| a.code.total_cmp(&b.code));
    let codes = found.iter().map(|found| found.code.to_string()).collect::<Vec<_>>().join(",");
    let count = found.iter().map(|found| found.count).sum();
    let (j, i) = found.iter().filter_map(|found| found.first).min()?;
    Some(Note::CouldBeMissing { codes, count, first: raw.place(i, j).plain() })
}

/// 8 and 9 in answers on a scale that ends before 7, or 9 on one that ends at 7: in several columns of whole numbers from 0 or 1 on,
/// each step of the scale is usual, while the one before the codes never occurs.
fn of_scale<T: Copy>(x: &Array2<T>, raw: &RawMatrix) -> Option<Note>
where
    f64: From<T>,
{
    const FEWEST_COLUMNS: usize = 2;
    const FEWEST_CODES: usize = 3;
    const FEWEST_ANSWERS: usize = 30;
    // How often each number from 0 to 9 occurs in the columns that have one of the codes.
    let (mut counts, mut columns, mut first) = ([0_usize; 10], 0, None);
    for (j, column) in x.columns().into_iter().enumerate() {
        let mut own = [0_usize; 10];
        let is_digit = |v: f64| (0.0..=9.0).contains(&v) && v.fract() == 0.0;
        let are_digits = column.iter().map(|&v| f64::from(v)).filter(|v| !v.is_nan()).all(|v| {
            own[if is_digit(v) { v as usize } else { 0 }] += 1;
            is_digit(v)
        });
        if are_digits && own[8] + own[9] > 0 {
            columns += 1;
            counts.iter_mut().zip(own).for_each(|(count, own)| *count += own);
            let row = || column.iter().position(|&v| f64::from(v) >= 8.0);
            first = first.or_else(|| row().map(|i| (j, i)));
        }
    }
    let answers: usize = counts[..8].iter().sum();
    let lowest = counts[..8].iter().position(|&count| count > 0)?;
    let highest = counts[..8].iter().rposition(|&count| count > 0)?;
    let lowest_code = if counts[8] > 0 { 8 } else { 9 };
    let found = counts[8] + counts[9];
    let is_scale = lowest <= 1
        && highest > lowest
        && highest + 2 <= lowest_code
        && counts[lowest..=highest].iter().all(|&count| count > 1 && 50 * count >= answers);
    if columns < FEWEST_COLUMNS || found < FEWEST_CODES || answers < FEWEST_ANSWERS.max(2 * found) || !is_scale {
        return None;
    }
    let codes = if counts[8] == 0 {
        "9"
    } else if counts[9] == 0 {
        "8"
    } else {
        "8,9"
    };
    let (j, i) = first?;
    Some(Note::CouldBeMissing { codes: codes.to_owned(), count: found, first: raw.place(i, j).plain() })
}

/// Where a number that may be a code occurs.
struct Occurrences {
    code: f64,
    /// Columns that have it, and those in which it is far from all others.
    columns: usize,
    far_in: usize,
    /// How often it is far from all others, and the first column and row in which it is.
    count: usize,
    first: Option<(usize, usize)>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use dosnes::ndarray::{Axis, array};

    fn codes_in(x: &Array2<f64>) -> Option<String> {
        match found(x, &RawMatrix::new(Matrix::Double(x.clone()))) {
            Some(Note::CouldBeMissing { codes, .. }) => Some(codes),
            _ => None,
        }
    }

    #[test]
    fn numbers_of_nines_far_from_all_others_are_codes() {
        assert_eq!(codes_in(&array![[1.0, 2.0], [5.0, -99.0], [3.0, 4.0], [99.0, 1.0]]).as_deref(), Some("-99,99"));
        assert_eq!(codes_in(&array![[12.5, 2.0], [-9999.0, 3.0], [-3.0, 4.0]]).as_deref(), Some("-9999"));
        assert_eq!(codes_in(&array![[900.0], [-999.0], [4000.0], [2500.0]]).as_deref(), Some("-999"));
        assert_eq!(codes_in(&array![[0.0], [-9.0], [30.0], [-9.0]]).as_deref(), Some("-9"));
        assert_eq!(codes_in(&array![[12.5], [999.9], [30.0], [8.25]]).as_deref(), Some("999.9"));
        let single = array![[12.5_f32], [9999.9], [30.0], [8.25]];
        let note = found(&single, &RawMatrix::new(Matrix::Single(single.clone()))).unwrap();
        assert!(note.to_string().contains("--na=9999.9 "), "{note}");
    }

    #[test]
    fn numbers_of_nines_among_others_are_numbers() {
        assert_eq!(codes_in(&array![[80.0], [99.0], [100.0], [70.0]]), None);
        assert_eq!(codes_in(&array![[-12.0], [-9.0], [3.0], [70.0]]), None);
        assert_eq!(codes_in(&array![[12.0], [-9.0], [3.0], [70.0]]), None);
        // Alone in one pixel, but one of many steps of grey.
        assert_eq!(codes_in(&array![[0.0, 90.0, 120.0], [98.0, 98.0, 98.0], [1.0, 240.0, 7.0]]), None);
        // Nothing is known of a column whose other values are all the same.
        assert_eq!(codes_in(&array![[0.0], [99.0], [0.0]]), None);
    }

    #[test]
    fn other_answers_are_codes_beside_a_code() {
        let answers = array![[1.0, 97.0], [5.0, 2.0], [98.0, 3.0], [2.0, 1.0], [99.0, 88.0], [4.0, 5.0]];
        assert_eq!(codes_in(&answers).as_deref(), Some("88,97,98,99"));
        assert_eq!(codes_in(&array![[1.0], [88.0], [3.0], [2.0]]), None);
        assert_eq!(
            codes_in(&array![[1.0, 5.0], [2.0, 3.0], [-8.0, 4.0], [-9.0, -8.0], [-9.0, -8.0]]).as_deref(),
            Some("-9,-8")
        );
    }

    /// 40 answers to each of three questions on this scale, with a code in some of them.
    fn answers(scale: usize, code: f64) -> Array2<f64> {
        let coded = |i: usize, j: usize| (i * 7 + j * 5).is_multiple_of(19);
        Array2::from_shape_fn(
            (40, 3),
            |(i, j)| if coded(i, j) { code } else { ((i * 3 + j + i / 5) % scale + 1) as f64 },
        )
    }

    #[test]
    fn eight_and_nine_are_codes_on_a_scale_that_ends_before() {
        for (scale, code, expected) in [
            (5, 9.0, Some("9")),
            (5, 8.0, Some("8")),
            (2, 9.0, Some("9")),
            (7, 9.0, Some("9")),
            (7, 8.0, None),
            (8, 9.0, None),
            (5, 7.0, None),
            (5, 10.0, None),
        ] {
            assert_eq!(codes_in(&answers(scale, code)).as_deref(), expected, "1 to {scale}, and {code}");
        }
        // A single question, and a code that occurs twice, say little.
        let one = answers(5, 9.0).column(0).to_owned().insert_axis(Axis(1));
        assert_eq!(codes_in(&one), None);
        // Counts have a tail, whose numbers are rare.
        let counts = Array2::from_shape_fn((200, 3), |(i, j)| match (i * 3 + j) % 100 {
            0 => 9.0,
            1 => 5.0,
            k => (k % 4) as f64,
        });
        assert_eq!(codes_in(&counts), None);
    }
}
