//! GML, as NetworkX, igraph and Gephi write it: `graph [ node [ id 0 label "a" ] edge [ source 0 target 1 ] ]`.

use crate::error::{Error, Place};
use crate::graph::GraphBuilder;
use crate::options::ReadOptions;
use crate::raw::Parsed;
use crate::source::Source;

/// Lists within lists, at most.
const DEEPEST: usize = 64;

/// A value: a text or number, or a list of keys and values.
enum Value {
    Plain(String),
    List(Vec<(String, Value)>),
}

impl Value {
    fn get(&self, key: &str) -> Option<&str> {
        let Self::List(members) = self else { return None };
        members.iter().find_map(|(name, value)| match value {
            Self::Plain(text) if name == key => Some(text.as_str()),
            _ => None,
        })
    }
}

/// Whether a text begins as GML does, after comments.
pub(crate) fn looks_like_gml(text: &str) -> bool {
    let words =
        || text.lines().filter(|line| !line.trim_start().starts_with('#')).flat_map(str::split_whitespace).take(200);
    let is_start =
        |word: &str| matches!(word.to_ascii_lowercase().as_str(), "graph" | "creator" | "version" | "comment");
    words().next().is_some_and(is_start)
        && (words().zip(words().skip(1)).any(|(a, b)| a == "graph" && b == "[") || words().any(|word| word == "graph["))
}

/// Reads a file.
pub(crate) fn read(source: &Source<'_>, options: &ReadOptions) -> Result<Parsed, Error> {
    let file = source.name.as_str();
    let bytes = source.read_all()?;
    let text = String::from_utf8_lossy(&bytes);
    let mut tokens = Tokens { file, text: &text, at: 0, line: 1 };
    let members = tokens.list(0)?;
    let Some((_, graph)) = members.into_iter().find(|(name, _)| name == "graph") else {
        return Err(Error::empty(file, "there is no graph in it"));
    };
    let directed = graph.get("directed") == Some("1");
    let Value::List(members) = graph else { return Err(Error::empty(file, "the graph is empty")) };
    let mut builder = GraphBuilder::default();
    for (_, node) in members.iter().filter(|(name, _)| name == "node") {
        let id = node.get("id").ok_or_else(|| Error::malformed(file, Place::part("node"), "a node has no id"))?;
        let number = builder.declare(file, id)?;
        if let Value::List(attributes) = node {
            for (name, value) in attributes.iter().filter(|(name, _)| name != "id") {
                if let Value::Plain(text) = value {
                    builder.set(file, name, number, text.clone())?;
                }
            }
        }
    }
    let weight_name = options.weight_column.as_deref();
    for (_, edge) in members.iter().filter(|(name, _)| name == "edge") {
        let (Some(from), Some(to)) = (edge.get("source"), edge.get("target")) else {
            return Err(Error::malformed(file, Place::part("edge"), "an edge has no source or no target"));
        };
        let ends = (builder.node(file, from)?, builder.node(file, to)?);
        let weight = match weight_name {
            Some(name) => Some(edge.get(name).ok_or_else(|| {
                Error::option(file, format!("the edge from \"{from}\" to \"{to}\" has no \"{name}\" for --weight"))
            })?),
            None => edge.get("weight").or_else(|| edge.get("value")),
        };
        if let (None, Value::List(attributes)) = (weight, edge) {
            for (name, value) in attributes {
                if let Value::Plain(text) = value {
                    builder.leave(name, text);
                }
            }
        }
        builder.connect(file, ends, weight, directed)?;
    }
    builder.finish(file, "GML", options)
}

struct Tokens<'a> {
    file: &'a str,
    text: &'a str,
    at: usize,
    line: u64,
}

impl Tokens<'_> {
    /// Keys and values up to the end of the list, or of the file.
    fn list(&mut self, depth: usize) -> Result<Vec<(String, Value)>, Error> {
        let damaged = |line: u64, problem: &str| Err(Error::malformed(self.file, Place::line(line), problem));
        if depth > DEEPEST {
            return damaged(self.line, "lists are nested too deeply; the file is damaged");
        }
        let mut members = Vec::new();
        loop {
            match self.next() {
                None if depth == 0 => return Ok(members),
                None => return damaged(self.line, "the file ends before its last list is closed"),
                Some(Token::Close) if depth > 0 => return Ok(members),
                Some(Token::Word(key)) => {
                    let line = self.line;
                    let value = match self.next() {
                        Some(Token::Open) => Value::List(self.list(depth + 1)?),
                        Some(Token::Word(text) | Token::Text(text)) => Value::Plain(text),
                        _ => return damaged(line, &format!("\"{key}\" has no value")),
                    };
                    members.push((key, value));
                }
                Some(_) => return damaged(self.line, "a key is missing"),
            }
        }
    }

    fn next(&mut self) -> Option<Token> {
        loop {
            let rest = self.text.get(self.at..)?;
            let first = rest.chars().next()?;
            match first {
                '\n' => {
                    self.line += 1;
                    self.at += 1;
                }
                c if c.is_whitespace() => self.at += c.len_utf8(),
                '#' => self.at += rest.find('\n').unwrap_or(rest.len()),
                '[' => {
                    self.at += 1;
                    return Some(Token::Open);
                }
                ']' => {
                    self.at += 1;
                    return Some(Token::Close);
                }
                '"' => {
                    let inside = &rest[1..];
                    let end = inside.find('"').unwrap_or(inside.len());
                    self.at += (end + 2).min(rest.len());
                    self.line += inside[..end].matches('\n').count() as u64;
                    return Some(Token::Text(unescaped(&inside[..end])));
                }
                _ => {
                    let end = rest.find(|c: char| c.is_whitespace() || c == '[' || c == ']').unwrap_or(rest.len());
                    self.at += end;
                    return Some(Token::Word(rest[..end].to_owned()));
                }
            }
        }
    }
}

enum Token {
    Word(String),
    Text(String),
    Open,
    Close,
}

/// `&#233;` and `&amp;` stand for characters, as in HTML.
fn unescaped(text: &str) -> String {
    if !text.contains('&') {
        return text.to_owned();
    }
    quick_xml::escape::unescape(text).map_or_else(|_| text.to_owned(), std::borrow::Cow::into_owned)
}
