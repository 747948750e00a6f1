//! Numbers in a form for people.

pub(crate) use dosnes_view::thousands as count;
use std::time::Duration;

/// A factor ≥ 1 with three significant digits, from 100 on as a whole number; practically 1 is written with four decimals.
pub(crate) fn factor(x: f64) -> String {
    match x {
        _ if !x.is_finite() => "more than 1e308".into(),
        _ if x < 1.0005 => format!("{x:.4}"),
        _ if x < 10.0 => format!("{x:.2}"),
        _ if x < 100.0 => format!("{x:.1}"),
        _ if x < 1e15 => count(x.round() as usize),
        _ => format!("{x:.1e}"),
    }
}

/// A number of bytes.
pub(crate) fn bytes(n: u64) -> String {
    match n {
        0..1_000_000 => format!("{:.0} kB", n as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.0} MB", n as f64 / 1e6),
        _ => format!("{:.1} GB", n as f64 / 1e9),
    }
}

/// A length of time.
pub(crate) fn duration(seconds: f64) -> String {
    match seconds {
        _ if seconds < 0.995 => format!("{:.0} ms", seconds * 1e3),
        _ if seconds < 10.0 => format!("{seconds:.1} s"),
        _ if seconds < 99.5 => format!("{seconds:.0} s"),
        _ if seconds < 5400.0 => format!("{:.0} min", seconds / 60.0),
        _ if seconds < 172_800.0 => format!("{:.1} h", seconds / 3600.0),
        _ => format!("{:.0} days", seconds / 86_400.0),
    }
}

/// `1 item`, `2 items`.
pub(crate) fn counted(n: usize, singular: &str, plural: &str) -> String {
    format!("{} {}", count(n), if n == 1 { singular } else { plural })
}

/// `90s`, `10min`, `2h`, `500ms`, or plain seconds.
pub(crate) fn parse_duration(text: &str) -> Result<Duration, String> {
    let text = text.trim();
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let scale = match unit.trim().to_ascii_lowercase().as_str() {
        "ms" => 1e-3,
        "" | "s" | "sec" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        "d" => 86400.0,
        _ => return Err(format!("\"{unit}\" is not a unit of time; give a time such as 90s, 10min or 2h")),
    };
    let seconds = number.parse::<f64>().map_err(|_| "give a time such as 90s, 10min or 2h".to_owned())?;
    Duration::try_from_secs_f64(seconds * scale).map_err(|_| "this time is too long".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_have_the_digits_that_matter() {
        assert_eq!(factor(1.0 + 1e-12), "1.0000");
        assert_eq!(factor(1.234), "1.23");
        assert_eq!(factor(21.83), "21.8");
        assert_eq!(factor(414_517.2), "414,517");
    }

    #[test]
    fn times_have_units() {
        assert_eq!(parse_duration("90s"), Ok(Duration::from_secs(90)));
        assert_eq!(parse_duration("1.5 h"), Ok(Duration::from_secs(5400)));
        assert_eq!(parse_duration("250ms"), Ok(Duration::from_millis(250)));
        assert_eq!(parse_duration("7"), Ok(Duration::from_secs(7)));
        assert!(parse_duration("3 moons").is_err());
        assert!(parse_duration("-1s").is_err());
        assert!(parse_duration("9e99d").is_err());
    }
}
