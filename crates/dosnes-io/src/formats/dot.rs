//! DOT, the language of Graphviz: `graph { a -- b [weight=2]; }`, `digraph { a -> b; }`.
//!
//! Subgraphs are read as part of the graph, and an edge from or to one is an edge of each of its nodes. Attributes of nodes are
//! metadata.

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
    let directed = directed.unwrap_or(false);
    let mut reader =
        Reader { file, graph: GraphBuilder::default(), directed, options, tokens: &tokens, at: start, of_groups: 0 };
    while reader.at < tokens.len() {
        reader.statements(0)?;
        // Another graph may follow.
        let rest = tokens.get(reader.at..).unwrap_or_default();
        reader.at += rest.iter().position(|(t, _)| *t == Token::Sign('{')).map_or(rest.len(), |k| k + 1);
    }
    reader.graph.finish(file, "DOT graph", options)
}

/// Subgraphs in each other, at most.
const DEEPEST: usize = 100;
/// Edges between groups in a file, at most: a short file could ask for very many.
const MOST_OF_GROUPS: usize = 1_000_000;
/// Numbers of an edge that say how it is drawn.
const DRAWN: [&str; 13] = [
    "penwidth",
    "fontsize",
    "minlen",
    "len",
    "arrowsize",
    "labeldistance",
    "labelangle",
    "labelfontsize",
    "constraint",
    "fillcolor",
    "color",
    "id",
    "key",
];

struct Reader<'a> {
    file: &'a str,
    graph: GraphBuilder,
    directed: bool,
    options: &'a ReadOptions,
    tokens: &'a [(Token, u64)],
    /// The token that is read next.
    at: usize,
    /// Edges between groups so far.
    of_groups: usize,
}

impl Reader<'_> {
    fn token(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|(token, _)| token)
    }

    fn line(&self) -> u64 {
        self.tokens.get(self.at.min(self.tokens.len().saturating_sub(1))).map_or(1, |(_, line)| *line)
    }

    /// Goes over a sign, if it is the next one.
    fn skips(&mut self, sign: char) -> bool {
        let is_next = self.token() == Some(&Token::Sign(sign));
        self.at += usize::from(is_next);
        is_next
    }

    fn name(&mut self) -> Option<String> {
        let Some(Token::Name(name)) = self.token() else { return None };
        let name = name.clone();
        self.at += 1;
        Some(name)
    }

    /// Reads statements up to the bracket that closes them, or the end. Returns the nodes in them.
    fn statements(&mut self, depth: usize) -> Result<Vec<u32>, Error> {
        if depth > DEEPEST {
            return Err(Error::malformed(
                self.file,
                Place::line(self.line()),
                "there are too many subgraphs in each other",
            ));
        }
        let mut nodes = Vec::new();
        while let Some(token) = self.token() {
            match token {
                Token::Sign('}') => break,
                Token::Sign('[') => drop(self.attributes()?),
                Token::Sign('{') | Token::Name(_) => {
                    let found = self.statement(depth)?;
                    // Nobody asks for those of the whole graph.
                    if depth > 0 {
                        nodes.extend(found);
                    }
                }
                Token::Sign(_) | Token::Edge => self.at += 1,
            }
        }
        nodes.sort_unstable();
        nodes.dedup();
        Ok(nodes)
    }

    /// A node, or a chain of edges between nodes and groups, with its attributes; or attributes of the graph, of all nodes or all edges.
    fn statement(&mut self, depth: usize) -> Result<Vec<u32>, Error> {
        let is_default =
            matches!(self.token(), Some(Token::Name(name)) if matches!(name.as_str(), "node" | "edge" | "graph"));
        if is_default && matches!(self.tokens.get(self.at + 1), Some((Token::Sign('['), _))) {
            self.at += 1;
            self.attributes()?;
            return Ok(Vec::new());
        }
        if matches!(self.tokens.get(self.at + 1), Some((Token::Sign('='), _))) {
            self.at += 3;
            return Ok(Vec::new());
        }
        let line = self.line();
        let mut groups = vec![self.end(depth)?];
        while self.token() == Some(&Token::Edge) {
            self.at += 1;
            groups.push(self.end(depth)?);
        }
        if self.token() == Some(&Token::Sign(',')) {
            let problem = "a comma between names; write a statement for each of them";
            return Err(Error::malformed(self.file, Place::line(line), problem));
        }
        let mut attributes = Vec::new();
        while self.token() == Some(&Token::Sign('[')) {
            attributes.extend(self.attributes()?);
        }
        match &groups[..] {
            [Group { nodes, is_subgraph: false }] => {
                for (name, value) in attributes {
                    self.graph.set(self.file, &name, nodes[0], value)?;
                }
            }
            [_] => {}
            _ => self.connect(&groups, &attributes, line)?,
        }
        Ok(groups.into_iter().flat_map(|group| group.nodes).collect())
    }

    /// One end of an edge: a node, or all nodes of a subgraph.
    fn end(&mut self, depth: usize) -> Result<Group, Error> {
        let line = self.line();
        let is_named = matches!(self.token(), Some(Token::Name(name)) if name == "subgraph");
        if is_named {
            self.at += 1;
            self.name();
        }
        if self.skips('{') {
            let nodes = self.statements(depth + 1)?;
            self.skips('}');
            return Ok(Group { nodes, is_subgraph: true });
        }
        if is_named {
            return Ok(Group { nodes: Vec::new(), is_subgraph: true });
        }
        match self.name() {
            Some(name) => Ok(Group { nodes: vec![self.graph.mention(self.file, &name)?], is_subgraph: false }),
            None => Err(Error::malformed(self.file, Place::line(line), "an edge has only one end here")),
        }
    }

    /// Edges from each node of a group to each of the next one.
    fn connect(&mut self, groups: &[Group], attributes: &[(String, String)], line: u64) -> Result<(), Error> {
        let wanted = self.options.weight_column.as_deref().unwrap_or("weight");
        let weight = attributes.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.as_str());
        if weight.is_none() && self.options.weight_column.is_some() {
            let problem = format!("an edge has no \"{wanted}\" for --weight");
            return Err(Error::value(self.file, Place::line(line), problem));
        }
        if weight.is_none() {
            let others = attributes.iter().filter(|(name, _)| !DRAWN.contains(&name.as_str()));
            others.for_each(|(name, value)| self.graph.leave(name, value));
        }
        for pair in groups.windows(2) {
            let (from, to) = (&pair[0].nodes, &pair[1].nodes);
            if from.len().max(to.len()) > 1 {
                self.of_groups = self.of_groups.saturating_add(from.len().saturating_mul(to.len()));
            }
            if self.of_groups > MOST_OF_GROUPS {
                let problem = "there are more than a million edges between subgraphs; write them one by one";
                return Err(Error::malformed(self.file, Place::line(line), problem));
            }
            for ends in from.iter().flat_map(|&from| to.iter().map(move |&to| (from, to))) {
                self.graph.connect(self.file, ends, weight, self.directed)?;
            }
        }
        Ok(())
    }

    /// A list of attributes in brackets.
    fn attributes(&mut self) -> Result<Vec<(String, String)>, Error> {
        let first = self.at;
        while let Some(token) = self.token() {
            let is_end = *token == Token::Sign(']');
            self.at += 1;
            if is_end {
                return Ok(attribute_pairs(&self.tokens[first..self.at]));
            }
        }
        let problem = "the file ends before its last list of attributes is closed";
        Err(Error::malformed(self.file, Place::default(), problem))
    }
}

/// The nodes at one end of an edge.
struct Group {
    nodes: Vec<u32>,
    is_subgraph: bool,
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
            // A label in HTML, up to the bracket that closes it.
            '<' => {
                let (mut open, mut end) = (1_usize, text.len());
                for (k, c) in characters.by_ref() {
                    line += u64::from(c == '\n');
                    open = match c {
                        '<' => open + 1,
                        '>' => open - 1,
                        _ => open,
                    };
                    if open == 0 {
                        end = k;
                        break;
                    }
                }
                all.push((Token::Name(text[at + 1..end].to_owned()), line));
            }
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
