//! DOT, the language of Graphviz: `graph { a -- b [weight=2]; }`, `digraph { a -> b; }`.
//!
//! Subgraphs are read as part of the graph. Attributes of nodes are metadata.

use std::iter::Peekable;
use std::str::CharIndices;

use crate::error::{Error, Place};
use crate::graph::GraphBuilder;
use crate::options::ReadOptions;
use crate::raw::Parsed;
use crate::source::Source;

/// Whether a text begins as DOT does.
pub(crate) fn looks_like_dot(text: &str) -> bool {
    let Some((before, _)) = text.split_once('{') else { return false };
    let before: String =
        before.lines().filter(|l| !l.trim_start().starts_with(['#', '/', '*'])).collect::<Vec<_>>().join(" ");
    let mut words = before.split_whitespace().filter(|word| *word != "strict");
    matches!(words.next(), Some("graph" | "digraph")) && words.count() <= 4
}

#[derive(Debug, Clone, PartialEq)]
enum Token {
    /// A name, number or text.
    Name(String),
    /// `--` or `->`.
    Edge,
    /// One of `{ } [ ] ; , =`.
    Sign(char),
}

/// Reads a file.
pub(crate) fn read(source: &Source<'_>, options: &ReadOptions) -> Result<Parsed, Error> {
    let file = source.name.as_str();
    let bytes = source.read_all()?;
    let text = String::from_utf8_lossy(&bytes);
    let tokens = tokens(file, &text)?;
    let directed = tokens.iter().find_map(|(t, _)| match t {
        Token::Name(name) if name.eq_ignore_ascii_case("digraph") => Some(true),
        Token::Name(name) if name.eq_ignore_ascii_case("graph") => Some(false),
        _ => None,
    });
    let start = tokens.iter().position(|(t, _)| *t == Token::Sign('{')).map_or(tokens.len(), |k| k + 1);
    let mut reader = Reader { file, graph: GraphBuilder::default(), directed: directed.unwrap_or(false), options };
    let mut statement: Vec<(Token, u64)> = Vec::new();
    let mut in_brackets = false;
    for (token, line) in tokens.into_iter().skip(start) {
        match &token {
            Token::Sign('[') => in_brackets = true,
            Token::Sign(']') => in_brackets = false,
            _ => {}
        }
        let ends = matches!(token, Token::Sign(';' | '{' | '}')) && !in_brackets;
        // A new statement may begin without a sign: after a list of attributes, or after a name.
        let begins = match (statement.last(), &token) {
            (Some((Token::Sign(']'), _)), Token::Name(_)) => true,
            (Some((Token::Name(_), _)), Token::Name(_)) => !in_brackets,
            _ => false,
        };
        if ends || begins {
            reader.statement(&statement)?;
            statement.clear();
        }
        if !ends {
            statement.push((token, line));
        }
    }
    if in_brackets {
        return Err(Error::malformed(
            file,
            Place::default(),
            "the file ends before its last list of attributes is closed",
        ));
    }
    reader.statement(&statement)?;
    reader.graph.finish(file, "DOT graph", options)
}

struct Reader<'a> {
    file: &'a str,
    graph: GraphBuilder,
    directed: bool,
    options: &'a ReadOptions,
}

impl Reader<'_> {
    fn statement(&mut self, tokens: &[(Token, u64)]) -> Result<(), Error> {
        let Some((Token::Name(first), line)) = tokens.first() else { return Ok(()) };
        let bracket = tokens.iter().position(|(t, _)| *t == Token::Sign('[')).unwrap_or(tokens.len());
        let (head, attributes) = tokens.split_at(bracket);
        if head.iter().any(|(t, _)| *t == Token::Sign('='))
            || matches!(first.as_str(), "node" | "edge" | "graph" | "subgraph")
        {
            return Ok(());
        }
        let attributes = attribute_pairs(attributes);
        let names: Vec<&String> =
            head.iter().filter_map(|(t, _)| if let Token::Name(n) = t { Some(n) } else { None }).collect();
        let edges = head.iter().filter(|(t, _)| *t == Token::Edge).count();
        if edges == 0 {
            let node = self.graph.mention(self.file, first)?;
            for (name, value) in attributes {
                self.graph.set(self.file, &name, node, value)?;
            }
            return Ok(());
        }
        if names.len() != edges + 1 {
            let problem = "an edge has only one end here; edges of whole subgraphs cannot be read";
            return Err(Error::malformed(self.file, Place::line(*line), problem));
        }
        let wanted = self.options.weight_column.as_deref().unwrap_or("weight");
        let weight = attributes.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.as_str());
        if weight.is_none() && self.options.weight_column.is_some() {
            let problem = format!("an edge has no \"{wanted}\" for --weight");
            return Err(Error::value(self.file, Place::line(*line), problem));
        }
        for pair in names.windows(2) {
            let ends = (self.graph.mention(self.file, pair[0])?, self.graph.mention(self.file, pair[1])?);
            self.graph.connect(self.file, ends, weight, self.directed)?;
        }
        Ok(())
    }
}

/// `[a=1, b="x"; c=3]`.
fn attribute_pairs(tokens: &[(Token, u64)]) -> Vec<(String, String)> {
    tokens
        .windows(3)
        .filter_map(|three| match (&three[0].0, &three[1].0, &three[2].0) {
            (Token::Name(name), Token::Sign('='), Token::Name(value)) => Some((name.clone(), value.clone())),
            _ => None,
        })
        .collect()
}

fn tokens(file: &str, text: &str) -> Result<Vec<(Token, u64)>, Error> {
    let mut all = Vec::new();
    let mut line = 1;
    let mut characters = text.char_indices().peekable();
    while let Some((at, c)) = characters.next() {
        let next = characters.peek().map(|&(_, c)| c);
        match c {
            '\n' => line += 1,
            '#' => skip_line(&mut characters),
            '/' if next == Some('/') => skip_line(&mut characters),
            '/' if next == Some('*') => {
                let mut last = ' ';
                for (_, c) in characters.by_ref() {
                    line += u64::from(c == '\n');
                    if last == '*' && c == '/' {
                        break;
                    }
                    last = c;
                }
            }
            '-' if matches!(next, Some('-' | '>')) => {
                characters.next();
                all.push((Token::Edge, line));
            }
            '{' | '}' | '[' | ']' | ';' | ',' | '=' => all.push((Token::Sign(c), line)),
            ':' => {
                // A port of the node before it.
                while characters.next_if(|(_, c)| !c.is_whitespace() && !"-;,[]{}".contains(*c)).is_some() {}
            }
            '"' => {
                let (mut value, mut closed) = (String::new(), false);
                while let Some((_, c)) = characters.next() {
                    match c {
                        '"' => {
                            closed = true;
                            break;
                        }
                        '\\' if characters.peek().is_some_and(|&(_, c)| c == '"') => {
                            value.push('"');
                            characters.next();
                        }
                        c => {
                            line += u64::from(c == '\n');
                            value.push(c);
                        }
                    }
                }
                if !closed {
                    return Err(Error::malformed(file, Place::line(line), "a text in quotes is not closed"));
                }
                all.push((Token::Name(value), line));
            }
            c if c.is_whitespace() => {}
            _ => {
                let is_part = |c: char| !c.is_whitespace() && !"{}[];,=\":#".contains(c);
                let mut end = at + c.len_utf8();
                while let Some(&(k, c)) = characters.peek() {
                    let minus = c == '-' && text[k + 1..].starts_with(['-', '>']);
                    if !is_part(c) || minus {
                        break;
                    }
                    end = k + c.len_utf8();
                    characters.next();
                }
                all.push((Token::Name(text[at..end].to_owned()), line));
            }
        }
    }
    Ok(all)
}

/// Leaves the end of the line, which is counted.
fn skip_line(characters: &mut Peekable<CharIndices<'_>>) {
    while characters.next_if(|(_, c)| *c != '\n').is_some() {}
}
