//! The built page, into which the data are inserted.

use super::Page;
use super::blocks::Blocks;
use super::header::encode;
use super::sample::{MOST_ITEMS, Sample};
use crate::Error;
use crate::markup::escape;

/// Built from `viewer/` in the repository by `npm run build`.
const TEMPLATE: &str = include_str!("../../assets/page.html");
const TITLE_SLOT: &str = "<!--dosnes:title-->";
const DATA_SLOT: &str = "<!--dosnes:data-->";

impl Page<'_> {
    /// The page as the bytes of an HTML file.
    pub fn to_html(&self) -> Result<Vec<u8>, Error> {
        self.check()?;
        match Sample::of(self, MOST_ITEMS) {
            Some(sample) => sample.page(self).encoded(),
            None => self.encoded(),
        }
    }

    fn encoded(&self) -> Result<Vec<u8>, Error> {
        let mut blocks = Blocks::default();
        let header = encode(self, &mut blocks)?;
        // In JSON, `<` can occur only in strings, where its escape has the same meaning. Without `<`, no label can close the
        // element or open a comment.
        let header = serde_json::to_string(&header)?.replace('<', "\\u003c");
        let (head, rest) = split(TEMPLATE, TITLE_SLOT);
        let (middle, tail) = split(rest, DATA_SLOT);
        let blocks = blocks.into_html();
        let mut html = Vec::with_capacity(TEMPLATE.len() + header.len() + blocks.len() + 256);
        html.extend_from_slice(head.as_bytes());
        html.extend_from_slice(escape(self.title).as_bytes());
        html.extend_from_slice(middle.as_bytes());
        html.extend_from_slice(b"<script type=\"application/json\" id=\"header\">");
        html.extend_from_slice(header.as_bytes());
        html.extend_from_slice(b"</script>\n");
        html.extend_from_slice(&blocks);
        html.extend_from_slice(tail.as_bytes());
        Ok(html)
    }
}

/// The text before and after a slot. A test checks that the built page has the slots.
fn split<'t>(text: &'t str, slot: &str) -> (&'t str, &'t str) {
    text.split_once(slot).unwrap_or((text, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_page_has_each_slot_once() {
        for slot in [TITLE_SLOT, DATA_SLOT] {
            assert_eq!(TEMPLATE.matches(slot).count(), 1, "{slot}");
        }
    }
}
