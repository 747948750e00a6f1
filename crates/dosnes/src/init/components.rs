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
