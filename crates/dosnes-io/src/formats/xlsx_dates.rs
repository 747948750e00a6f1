//! Dates in Excel workbooks: numbers of days, which only the format of their cells tells from other numbers.

/// Days from 1899-12-30, where Excel's count begins, to 1970-01-01.
const DAYS_BEFORE_1970: i64 = 25_569;
/// Days between the two beginnings that a workbook may have: 1900 and, on old Macs, 1904.
const DAYS_TO_1904: f64 = 1_462.0;

/// Whether the built-in format of this number is one of dates or times.
pub(super) fn is_builtin_date(format: u32) -> bool {
    matches!(format, 14..=22 | 27..=36 | 45..=47 | 50..=58)
}

/// Whether a format such as `yyyy-mm-dd;@` is one of dates or times: it has their letters outside of quotes and brackets.
pub(super) fn is_date_code(code: &str) -> bool {
    let (mut quoted, mut depth, mut escaped) = (false, 0_usize, false);
    code.chars().any(|c| {
        if std::mem::take(&mut escaped) {
            return false;
        }
        match c {
            '\\' | '_' | '*' => escaped = true,
            '"' => quoted = !quoted,
            '[' if !quoted => depth += 1,
            ']' if !quoted => depth = depth.saturating_sub(1),
            'y' | 'Y' | 'd' | 'D' | 'h' | 'H' | 'm' | 'M' | 's' | 'S' if !quoted && depth == 0 => return true,
            _ => {}
        }
        false
    }) && !code.eq_ignore_ascii_case("general")
}

/// A number of days as `2020-01-31`, or `2020-01-31T12:30:00` if it has a time.
pub(super) fn iso_date(days: f64, from_1904: bool) -> Option<String> {
    let days = if from_1904 { days + DAYS_TO_1904 } else { days };
    if !(0.0..3e6).contains(&days) {
        return None;
    }
    let seconds = (days.fract() * 86_400.0).round() as i64;
    let (year, month, day) = civil(days.trunc() as i64 + seconds / 86_400 - DAYS_BEFORE_1970);
    let seconds = seconds % 86_400;
    let date = format!("{year:04}-{month:02}-{day:02}");
    Some(if seconds == 0 {
        date
    } else {
        format!("{date}T{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
    })
}

/// Year, month and day of a day that is counted from 1970-01-01, in the Gregorian calendar.
///
/// Years are counted from March, so that the day that leap years have more is their last one; 400 years have 146,097 days.
fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    (year_of_era + 400 * era + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_that_excel_shows() {
        for (days, expected) in [
            (43_831.0, "2020-01-01"),
            (43_890.0, "2020-02-29"),
            (36_526.0, "2000-01-01"),
            (25_569.0, "1970-01-01"),
            (43_831.5, "2020-01-01T12:00:00"),
            (73_050.0, "2099-12-31"),
        ] {
            assert_eq!(iso_date(days, false).as_deref(), Some(expected), "{days}");
        }
        assert_eq!(iso_date(42_369.0, true).as_deref(), Some("2020-01-01"));
        assert_eq!(iso_date(-1.0, false), None);
    }

    #[test]
    fn formats_of_dates_have_their_letters() {
        for code in ["yyyy-mm-dd", "d.m.yyyy;@", "[$-409]h:mm AM/PM", "mm:ss"] {
            assert!(is_date_code(code), "{code}");
        }
        for code in ["General", "0.00", "#,##0.00\" days\"", "[Red]0", "0%", "\\d0"] {
            assert!(!is_date_code(code), "{code}");
        }
    }
}
