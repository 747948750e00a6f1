//! Numbers in a form for people.

/// 414517 as `414,517`, as messages and pages write it.
pub fn thousands(n: usize) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (k, digit) in digits.chars().enumerate() {
        if k > 0 && (digits.len() - k).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!(thousands(0), "0");
        assert_eq!(thousands(999), "999");
        assert_eq!(thousands(414_517), "414,517");
        assert_eq!(thousands(1_000_000), "1,000,000");
    }
}
