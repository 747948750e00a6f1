use dosnes::observe::Silent;
fn main() {
    let mut options = dosnes_io::ReadOptions::default();
    for file in std::env::args().skip(1) {
        if file == "--strict" {
            options.strict = true;
            continue;
        }
        if file == "--graph" {
            options.kind = Some(dosnes_io::Kind::Graph);
            continue;
        }
        let name = std::path::Path::new(&file).file_name().unwrap().to_string_lossy().into_owned();
        match dosnes_io::read(&file, &options, &mut Silent) {
            Ok(l) => {
                println!("=== {name} [0]\n{}", l.detected);
                for n in &l.notes {
                    println!("  {} {n}", if n.is_doubt() { "UNSURE" } else { "note" });
                }
                let ids = &l.dataset.items.ids;
                println!("  ids {:?}", &ids[..ids.len().min(4)]);
                use dosnes::input::{Data, Distances, Points};
                let first: Vec<String> = match &l.dataset.data {
                    Data::Points(Points::Dense(x)) => x.row(0).iter().take(6).map(|v| v.to_string()).collect(),
                    Data::Points(Points::Dense64(x)) => x.row(0).iter().take(6).map(|v| v.to_string()).collect(),
                    Data::Graph(g) | Data::Similarity(g) | Data::Dyadic(g) => {
                        g.iter().take(4).map(|(i, j, w)| format!("{i}-{j}:{w}")).collect()
                    }
                    Data::Distance(Distances::Dense(d)) => d.row(0).iter().take(6).map(|v| v.to_string()).collect(),
                    Data::Distance(Distances::Sparse(d)) => {
                        d.iter().take(4).map(|(i, j, w)| format!("{i}-{j}:{w}")).collect()
                    }
                    _ => vec!["sparse points".into()],
                };
                println!("  first {first:?}");
            }
            Err(e) => println!("=== {name} [2]\n{e}"),
        }
    }
}
