//! Tables in pages of the documentation, between `<!-- table NAME -->` and `<!-- end -->`.

const END: &str = "<!-- end -->";

fn begin(name: &str) -> String {
    format!("<!-- table {name} -->\n")
}

/// The page with the table between its marks replaced.
pub(crate) fn replace(page: &str, name: &str, table: &str) -> Result<String, String> {
    let begin = begin(name);
    let missing = || format!("there is no place for the table {name}: {}…{END}", begin.trim_end());
    let (before, rest) = page.split_once(&begin).ok_or_else(missing)?;
    let (_, after) = rest.split_once(END).ok_or_else(missing)?;
    Ok(format!("{before}{begin}{}\n{END}{after}", table.trim_end()))
}

/// The table between its marks.
pub(crate) fn between_marks<'a>(page: &'a str, name: &str) -> Option<&'a str> {
    page.split_once(&begin(name))?.1.split_once(END).map(|(table, _)| table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_found_and_replaced() {
        let page = "a\n<!-- table t -->\nold\n<!-- end -->\nb";
        assert_eq!(between_marks(page, "t"), Some("old\n"));
        assert_eq!(replace(page, "t", "new\n").unwrap(), "a\n<!-- table t -->\nnew\n<!-- end -->\nb");
        assert!(replace(page, "u", "new").is_err());
    }
}
