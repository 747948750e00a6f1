//! The names of the items, and metadata about them.

/// The names of the items, and any number of metadata columns, which go on to the outputs for colours and labels.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Items {
    /// One name each, unique.
    pub ids: Vec<String>,
    /// Further columns, each as long as `ids`.
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

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The values at `rows`, in that order.
    #[must_use]
    pub fn select(&self, rows: &[usize]) -> Self {
        match self {
            Self::Text(v) => Self::Text(rows.iter().map(|&i| v[i].clone()).collect()),
            Self::Number(v) => Self::Number(rows.iter().map(|&i| v[i]).collect()),
        }
    }
}

impl Items {
    /// Items that have no name in the input: their row numbers, from 0, are their names.
    pub fn numbered(n: usize) -> Self {
        Self { ids: (0..n).map(|i| i.to_string()).collect(), columns: Vec::new() }
    }

    /// Number of items.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// The column of that name.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|c| c.name == name)
    }

    /// The items at `rows`, in that order.
    #[must_use]
    pub fn select(&self, rows: &[usize]) -> Self {
        Self {
            ids: rows.iter().map(|&i| self.ids[i].clone()).collect(),
            columns: self
                .columns
                .iter()
                .map(|c| Column { name: c.name.clone(), values: c.values.select(rows) })
                .collect(),
        }
    }
}
