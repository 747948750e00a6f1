//! The connected pieces of a similarity graph.

use crate::input::Csr;

/// The component of each row, and the components' sizes.
pub(crate) fn connected(p: &Csr) -> (Vec<u32>, Vec<usize>) {
    const UNSEEN: u32 = u32::MAX;
    let mut component = vec![UNSEEN; p.rows()];
    let mut sizes = Vec::new();
    let mut stack = Vec::new();
    for root in 0..p.rows() {
        if component[root] != UNSEEN {
            continue;
        }
        let id = sizes.len() as u32;
        component[root] = id;
        stack.push(root);
        let mut size = 0;
        while let Some(i) = stack.pop() {
            size += 1;
            for (j, _) in p.outer_view(i).expect("i is a row").iter() {
                if component[j] == UNSEEN {
                    component[j] = id;
                    stack.push(j);
                }
            }
        }
        sizes.push(size);
    }
    (component, sizes)
}

/// The rows and columns `members` (ascending) of `p`, which have no entries elsewhere.
pub(crate) fn submatrix(p: &Csr, members: &[usize]) -> Csr {
    let mut new_index = vec![0_u32; p.rows()];
    for (new, &old) in members.iter().enumerate() {
        new_index[old] = new as u32;
    }
    let mut indptr = vec![0];
    let (mut indices, mut values) = (Vec::new(), Vec::new());
    for &i in members {
        let row = p.outer_view(i).expect("i is a row");
        indices.extend(row.indices().iter().map(|&j| new_index[j as usize]));
        values.extend_from_slice(row.data());
        indptr.push(indices.len());
    }
    Csr::new((members.len(), members.len()), indptr, indices, values)
}
