//! The names and the metadata of the items.

use std::collections::HashMap;

/// The names of the items, and any number of metadata columns, which outputs use for colours and labels.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Items {
    /// One unique name per item.
    pub ids: Vec<String>,
    /// Metadata columns, each as long as `ids`.
    pub columns: Vec<Column>,
}

/// One value for each item.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// The column's name, as in the input.
    pub name: String,
    /// Its values.
    pub values: Values,
}

/// The values of a column.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// Texts; an empty one is a missing value.
    Text(Vec<String>),
    /// Numbers; NaN is a missing value.
    Number(Vec<f64>),
}

impl Values {
    /// Number of values.
    pub fn len(&self) -> usize {
        match self {
            Self::Text(v) => v.len(),
            Self::Number(v) => v.len(),
        }
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The values at `rows`, in that order; rows that do not exist are left out.
    #[must_use]
    pub fn select(&self, rows: &[usize]) -> Self {
        match self {
            Self::Text(v) => Self::Text(rows.iter().filter_map(|&i| v.get(i).cloned()).collect()),
            Self::Number(v) => Self::Number(rows.iter().filter_map(|&i| v.get(i).copied()).collect()),
        }
    }
}

impl Items {
    /// Items without names in the input: their row numbers, from 0, become their names.
    pub fn numbered(n: usize) -> Self {
        Self { ids: (0..n).map(|i| i.to_string()).collect(), columns: Vec::new() }
    }

    /// Number of items.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there are no items.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// The column with this name.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|c| c.name == name)
    }

    /// Sets a column, in place of one with the same name.
    pub fn set_column(&mut self, name: &str, values: Values) {
        self.columns.retain(|column| column.name != name);
        self.columns.push(Column { name: name.to_owned(), values });
    }

    /// The items at `rows`, in that order; rows that do not exist are left out.
    #[must_use]
    pub fn select(&self, rows: &[usize]) -> Self {
        Self {
            ids: rows.iter().filter_map(|&i| self.ids.get(i).cloned()).collect(),
            columns: self
                .columns
                .iter()
                .map(|c| Column { name: c.name.clone(), values: c.values.select(rows) })
                .collect(),
        }
    }
}

/// Why a column cannot be used as classes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ClassError {
    /// There is no such column.
    #[error("no column \"{name}\" of classes; {}", match .there.as_slice() {
        [] => "there are no metadata columns".to_owned(),
        names => format!("the columns are {}", names.join(", ")),
    })]
    NoColumn {
        /// The requested name.
        name: String,
        /// The names of the existing columns.
        there: Vec<String>,
    },
    /// Its values are all equal, or almost all different.
    #[error(
        "the column \"{name}\" has {values} different values for {items} items; there must be at least two classes, \
             and items must share them"
    )]
    NotClasses {
        /// The column.
        name: String,
        /// Number of different values.
        values: usize,
        /// Number of items that have one.
        items: usize,
    },
}

impl Items {
    /// The class of each item, from a column of texts or of numbers that stand for classes. Classes are numbered in the
    /// order in which they occur. An item with a missing value has no class.
    pub fn classes(&self, name: &str) -> Result<Vec<Option<u32>>, ClassError> {
        let Some(column) = self.column(name) else {
            let there = self.columns.iter().map(|column| column.name.clone()).collect();
            return Err(ClassError::NoColumn { name: name.to_owned(), there });
        };
        let texts: Vec<Option<String>> = match &column.values {
            Values::Text(texts) => texts.iter().map(|t| (!t.is_empty()).then(|| t.clone())).collect(),
            Values::Number(numbers) => numbers.iter().map(|v| v.is_finite().then(|| v.to_string())).collect(),
        };
        let mut known: HashMap<String, u32> = HashMap::new();
        let classes: Vec<Option<u32>> = texts
            .into_iter()
            .map(|text| {
                let next = known.len() as u32;
                text.map(|text| *known.entry(text).or_insert(next))
            })
            .collect();
        let items = classes.iter().flatten().count();
        if known.len() < 2 || 2 * known.len() > items {
            return Err(ClassError::NotClasses { name: name.to_owned(), values: known.len(), items });
        }
        Ok(classes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_texts_or_numbers_and_may_be_missing() {
        let column = |values| Column { name: "c".into(), values };
        let items = |values: Values| Items { columns: vec![column(values)], ..Items::numbered(5) };
        let texts = Values::Text(["b", "a", "", "a", "b"].map(String::from).to_vec());
        assert_eq!(items(texts).classes("c").unwrap(), [Some(0), Some(1), None, Some(1), Some(0)]);
        let numbers = Values::Number(vec![3.0, 3.0, f64::NAN, 1.0, 1.0]);
        assert_eq!(items(numbers).classes("c").unwrap(), [Some(0), Some(0), None, Some(1), Some(1)]);
        let names = Values::Text(["a", "b", "c", "d", "e"].map(String::from).to_vec());
        assert!(matches!(items(names.clone()).classes("c"), Err(ClassError::NotClasses { values: 5, items: 5, .. })));
        assert!(items(names).classes("x").unwrap_err().to_string().contains("the columns are c"));
    }
}
