//! Shared by `GraphML` and GEXF: XML events and attributes.

use std::collections::HashMap;

use quick_xml::Reader;
use quick_xml::XmlVersion;
use quick_xml::events::{BytesRef, BytesStart, Event};

use crate::error::{Error, Place};
use crate::graph::GraphBuilder;
use crate::options::ReadOptions;
use crate::raw::Parsed;
use crate::source::Source;

/// What a format does with its elements.
pub(crate) trait GraphReader: Default {
    /// The format, for the user.
    const FORMAT: &'static str;

    /// An element begins.
    fn start(&mut self, file: &str, element: &BytesStart<'_>) -> Result<(), Error>;
    /// An element ends; `text` is what stood since the last element began or ended.
    fn end(&mut self, file: &str, name: &str, text: &str) -> Result<(), Error>;
    /// The graph, in the end.
    fn into_graph(self) -> GraphBuilder;
}

/// Reads a file. Nested graphs are read as one.
pub(crate) fn read<R: GraphReader>(source: &Source<'_>, options: &ReadOptions) -> Result<Parsed, Error> {
    let file = source.name.as_str();
    let mut reader = Reader::from_reader(source.open()?);
    let mut graph = R::default();
    let (mut buffer, mut text) = (Vec::new(), String::new());
    let mut depth = 0_i64;
    loop {
        buffer.clear();
        match reader.read_event_into(&mut buffer).map_err(|error| read_error(source, error))? {
            Event::Start(element) => {
                depth += 1;
                text.clear();
                graph.start(file, &element)?;
            }
            Event::Empty(element) => {
                text.clear();
                graph.start(file, &element)?;
                graph.end(file, element.local_name().as_ref(), &text)?;
            }
            Event::End(element) => {
                depth -= 1;
                graph.end(file, element.local_name().as_ref(), &text)?;
                text.clear();
            }
            Event::Text(more) => text.push_str(&more.xml10_content()),
            Event::CData(more) => text.push_str(&more.xml10_content()),
            Event::GeneralRef(reference) => text.push_str(&resolve(file, &reference)?),
            Event::Eof => break,
            _ => {}
        }
    }
    if depth > 0 {
        return Err(damaged(file, "it ends before its last element is closed"));
    }
    graph.into_graph().finish(file, R::FORMAT, options)
}

fn read_error(source: &Source<'_>, error: quick_xml::Error) -> Error {
    match error {
        quick_xml::Error::Io(error) => {
            let copy = std::io::Error::new(error.kind(), error.to_string());
            source.read_error(std::sync::Arc::try_unwrap(error).unwrap_or(copy))
        }
        other => damaged(&source.name, &other.to_string()),
    }
}

/// The attributes of an element, by name without prefix.
pub(crate) fn attributes(file: &str, element: &BytesStart<'_>) -> Result<HashMap<String, String>, Error> {
    let mut all = HashMap::new();
    for attribute in element.attributes() {
        let attribute = attribute.map_err(|e| damaged(file, &e.to_string()))?;
        let value = attribute.normalized_value(XmlVersion::Implicit1_0).map_err(|e| damaged(file, &e.to_string()))?;
        all.insert(attribute.key.local_name().as_ref().to_owned(), value.into_owned());
    }
    Ok(all)
}

pub(crate) fn damaged(file: &str, problem: &str) -> Error {
    Error::malformed(file, Place::default(), format!("the XML is damaged or truncated ({problem})"))
}

/// The text that `&name;` or `&#number;` stands for. Only XML's own five names are known: no entity is ever expanded.
pub(crate) fn resolve(file: &str, reference: &BytesRef<'_>) -> Result<String, Error> {
    if let Some(character) = reference.resolve_char_ref().map_err(|e| damaged(file, &e.to_string()))? {
        return Ok(character.to_string());
    }
    let name = reference.xml10_content();
    match quick_xml::escape::resolve_xml_entity(&name) {
        Some(text) => Ok(text.to_owned()),
        None => Err(damaged(file, &format!("unknown entity &{name};"))),
    }
}
