//! Files as people have them: each is read right, or refused with its cause and a way out. The folder `odd` is not part of the
//! repository.

use crate::shared::folder;
use dosnes::observe::Silent;
use dosnes_io::{Kind, MissingValues, ReadOptions, Standardize};

/// Which options a file is read with.
#[derive(Clone, Copy)]
enum With {
    Nothing,
    Drop,
    Mean,
    Counts,
    Ignore,
    Ratings,
    Z,
    Similarity,
}

impl With {
    fn options(self) -> ReadOptions {
        let default = ReadOptions::default();
        match self {
            Self::Nothing => default,
            Self::Drop => ReadOptions { missing: MissingValues::Drop, ..default },
            Self::Mean => ReadOptions { missing: MissingValues::Mean, ..default },
            Self::Counts => ReadOptions { cell_counts: true, ..default },
            Self::Ignore => ReadOptions { ignore_columns: vec!["3".into()], ..default },
            Self::Ratings => ReadOptions { kind: Some(Kind::Dyadic), weight_column: Some("rating".into()), ..default },
            Self::Z => ReadOptions { standardize: Some(Standardize::Z), ..default },
            Self::Similarity => ReadOptions { kind: Some(Kind::Similarity), ..default },
        }
    }
}

use With::{Counts, Drop, Ignore, Mean, Nothing, Ratings, Similarity, Z};

/// File, options, and what the reading, its notes or the error must say.
#[rustfmt::skip]
const EXPECTED: &[(&str, With, &[&str])] = &[
    ("10x", Nothing, &["150 cells × 400 genes", "--counts"]),
    ("10x", Counts, &["150 points", "log(1 + x) was taken"]),
    ("3d.npy", Nothing, &["shape (50, 8, 8)", "x.reshape(50, 64)"]),
    ("a.loom", Nothing, &["150 cells × 400 genes"]),
    ("adj_named.csv", Nothing, &["graph of 77 nodes and 254 undirected edges"]),
    ("ansi.csv", Nothing, &["graph of 4 nodes"]),
    ("array.pkl", Nothing, &["a pickle", "numpy.save"]),
    ("arrow.txt", Nothing, &["graph of 60 nodes and 554 arcs"]),
    ("asym_1e-06.npy", Nothing, &["distances between 60 items", "differ by rounding"]),
    ("asym_1e-07.npy", Nothing, &["distances between 60 items"]),
    ("asym_1e-08.npy", Nothing, &["distances between 60 items"]),
    ("asym_1e-09.npy", Nothing, &["distances between 60 items"]),
    ("attr_edges.csv", Nothing, &["edge list (source, target, weight)", "not used: column \"type\", \"label\""]),
    ("base.bvecs", Nothing, &["400 points of 50 dimensions"]),
    ("base.fbin", Nothing, &["400 points of 50 dimensions"]),
    ("base.fvecs", Nothing, &["400 points of 50 dimensions"]),
    ("be.npy", Nothing, &["300 points of 5 dimensions"]),
    ("blast6.tsv", Nothing, &["graph of 200 nodes", "BLAST"]),
    ("bom.csv", Nothing, &["300 points of 5 dimensions; column \"name\" is the id"]),
    ("coauth.csv", Nothing, &["dyadic data, 60 items × 60 partners"]),
    ("columns.json", Nothing, &["300 points of 5 dimensions; column \"name\" is the id"]),
    ("comp.h5ad", Nothing, &["150 points of 400 dimensions"]),
    ("conf.npy", Nothing, &["12 points", "--as similarity"]),
    ("cooc_zero_diag.csv", Nothing, &["60 items", "--as similarity"]),
    ("cooc_zero_diag.npy", Nothing, &["60 items", "--as similarity"]),
    ("corr.csv", Nothing, &["distances between 30 items", "1 − r"]),
    ("corr.csv", Similarity, &["similarities of 30 items", "replaced by zero"]),
    ("cosine_neg.npy", Nothing, &["distances between 60 items", "1 − r"]),
    ("cosine_neg_nohead.csv", Nothing, &["distances between 60 items", "1 − r"]),
    ("cplx.npy", Nothing, &["complex numbers; save real ones"]),
    ("cr.csv", Nothing, &["300 points of 5 dimensions"]),
    ("crlf.csv", Nothing, &["300 points of 5 dimensions"]),
    ("cyto.json", Nothing, &["graph of 77 nodes and 254 undirected edges"]),
    ("dense.h5ad", Nothing, &["300 points of 5 dimensions"]),
    ("diag_0.0001.npy", Nothing, &["distances between 60 items"]),
    ("diag_1e-07.npy", Nothing, &["distances between 60 items"]),
    ("diag_1e-08.npy", Nothing, &["distances between 60 items"]),
    ("diag_1e-09.npy", Nothing, &["distances between 60 items"]),
    ("dist.csv", Nothing, &["distances between 60 items"]),
    ("dist.txt", Nothing, &["distances between 60 items"]),
    ("dist_asym_rounding.csv", Nothing, &["distances between 60 items", "differ by rounding"]),
    ("dist_lower.csv", Nothing, &["distances between 60 items"]),
    ("docs.csv", Nothing, &["a table of texts", "vectors"]),
    ("dot32.npy", Nothing, &["distances between 60 items"]),
    ("dup_header.csv", Nothing, &["120 points of 2 dimensions"]),
    ("e_nan.csv", Nothing, &["line 52", "--missing drop"]),
    ("e_nan.csv", Drop, &["left out"]),
    ("euro_thousands.csv", Nothing, &["120 points of 2 dimensions", "thousands"]),
    ("expr_cells_x_genes.csv", Nothing, &["150 points of 400 dimensions"]),
    ("expr_genes_x_cells.csv", Nothing, &["400 points of 150 dimensions"]),
    ("f.npy", Nothing, &["300 points of 5 dimensions"]),
    ("filtered_feature_bc_matrix.h5", Nothing, &["150 cells × 400 genes"]),
    ("gct.gct", Nothing, &["120 points of 4 dimensions"]),
    ("gephi.gexf", Nothing, &["graph of 77 nodes and 254 undirected edges"]),
    ("glove.txt", Nothing, &["400 points of 50 dimensions"]),
    ("glove_noq.txt", Nothing, &["399 points of 50 dimensions"]),
    ("h3_float_w.txt", Nothing, &["edge list with weights: graph of 60 nodes"]),
    ("h3_int_noheader_w.csv", Nothing, &["600 points of 3 dimensions", "--as graph"]),
    ("h_A-B.csv", Nothing, &["graph of 60 nodes", "--as points"]),
    ("h_Node_A-Node_B.csv", Nothing, &["graph of 60 nodes"]),
    ("h_Source-Target.csv", Nothing, &["graph of 60 nodes"]),
    ("h_SourceID-TargetID.csv", Nothing, &["graph of 60 nodes"]),
    ("h_author1-author2.csv", Nothing, &["graph of 60 nodes"]),
    ("h_citing-cited.csv", Nothing, &["graph of 60 nodes"]),
    ("h_ego-alter.csv", Nothing, &["graph of 60 nodes"]),
    ("h_follower-followee.csv", Nothing, &["graph of 60 nodes"]),
    ("h_from_node-to_node.csv", Nothing, &["graph of 60 nodes"]),
    ("h_gene1-gene2.csv", Nothing, &["graph of 60 nodes"]),
    ("h_head-tail.csv", Nothing, &["graph of 60 nodes", "--as points"]),
    ("h_i-j.csv", Nothing, &["graph of 60 nodes", "--as points"]),
    ("h_id_1-id_2.csv", Nothing, &["graph of 60 nodes"]),
    ("h_node_1-node_2.csv", Nothing, &["graph of 60 nodes"]),
    ("h_sender-receiver.csv", Nothing, &["graph of 60 nodes"]),
    ("h_src-dst.csv", Nothing, &["graph of 60 nodes"]),
    ("h_u-v.csv", Nothing, &["graph of 60 nodes", "--as points"]),
    ("h_user_a-user_b.csv", Nothing, &["graph of 60 nodes"]),
    ("h_x-y.csv", Nothing, &["600 points of 2 dimensions", "--as graph"]),
    ("hamming_many_zeros.npy", Nothing, &["distances between 40 items"]),
    ("hash_header.tsv", Nothing, &["120 points of 4 dimensions; column \"name\" is the id", "--header no"]),
    ("id_int.csv", Nothing, &["300 points of 3 dimensions; column \"id\" is the id"]),
    ("img4.npy", Nothing, &["x.reshape(50, 192)"]),
    ("imgs", Nothing, &["is a folder"]),
    ("indexcol.csv", Nothing, &["120 points of 4 dimensions"]),
    ("inf_text.csv", Nothing, &["line 11, column \"b\"", "#DIV/0!"]),
    ("lesmis.adjlist", Nothing, &["graph of 77 nodes and 254 undirected edges"]),
    ("lesmis.adjlist.raw", Nothing, &["--format adjacency"]),
    ("lesmis.dot", Nothing, &["graph of 77 nodes and 254 undirected edges"]),
    ("lesmis.edgelist", Nothing, &["graph of 77 nodes and 254 arcs"]),
    ("lesmis.multiadj", Nothing, &["graph of 77 nodes and 254 undirected edges"]),
    ("lesmis.net", Nothing, &["graph of 77 nodes and 254 undirected edges"]),
    ("lines.jsonl", Nothing, &["300 points of 5 dimensions"]),
    ("lonlat.csv", Nothing, &["120 points of 3 dimensions", "--standardize"]),
    ("map.json", Nothing, &["dosnes view"]),
    ("matrix.json", Nothing, &["300 points of 5 dimensions"]),
    ("metis.graph", Nothing, &["graph of 77 nodes and 254 undirected edges"]),
    ("names_nohead.csv", Nothing, &["graph of 60 nodes"]),
    ("names_nohead_w.tsv", Nothing, &["edge list with weights: graph of 60 nodes"]),
    ("nan.h5ad", Drop, &["points", "left out"]),
    ("nan.mat", Drop, &["points", "left out"]),
    ("nan.npy", Drop, &["points", "left out"]),
    ("nan.npz", Mean, &["points", "replaced by"]),
    ("nan.npy", Nothing, &["--missing drop or --missing mean"]),
    ("ncol.ncol", Nothing, &["edge list with weights: graph of 60 nodes"]),
    ("negw.csv", Nothing, &["line 2, column \"weight\"", "negative"]),
    ("neo4j.csv", Nothing, &["edge list (:START_ID, :END_ID, weight)"]),
    ("nodelink.json", Nothing, &["graph of 77 nodes and 254 undirected edges"]),
    ("obj.npz", Nothing, &["300 points", "not used: \"names\""]),
    ("obsp.h5ad", Nothing, &["150 points of 400 dimensions", "obsp/distances"]),
    ("one.png", Nothing, &["a PNG image"]),
    ("one_minus_r.npy", Nothing, &["distances between 60 items"]),
    ("one_minus_r3.npy", Nothing, &["distances between 150 items"]),
    ("one_minus_s.npy", Nothing, &["distances between 60 items"]),
    ("out.konect", Nothing, &["dyadic data, 200 items × 300 partners"]),
    ("out.konect_sym", Nothing, &["graph of 77 nodes and 254 undirected edges"]),
    ("out.konect_tab", Nothing, &["edge list with weights: graph of 77 nodes and 254 arcs"]),
    ("penguins_index.csv", Nothing, &["line 5, column \"bill_length_mm\"", "--missing drop"]),
    ("penguins_index_nomissing.csv", Nothing, &["333 points of 4 dimensions", "--standardize"]),
    ("penguins_na_dot.csv", Z, &["333 points of 4 dimensions", "standardised"]),
    ("penguins_plain.csv", Drop, &["points of 4 dimensions", "left out"]),
    ("plain.csv", Nothing, &["300 points of 5 dimensions"]),
    ("plain.csv.bz2", Nothing, &["300 points of 5 dimensions"]),
    ("plain.csv.zst", Nothing, &["300 points of 5 dimensions"]),
    ("plain.h5", Nothing, &["300 points of 5 dimensions"]),
    ("plain.tar.gz", Nothing, &["a tar archive; unpack it"]),
    ("plain.zip", Nothing, &["300 points of 5 dimensions"]),
    ("plain_small.csv", Nothing, &["60 points of 5 dimensions"]),
    ("r_writecsv.csv", Nothing, &["120 points of 4 dimensions"]),
    ("r_writetable.tsv", Nothing, &["120 points of 4 dimensions"]),
    ("r_writetable.txt", Nothing, &["120 points of 4 dimensions"]),
    ("ragged.csv", Nothing, &["line 202: this line has 3 cells"]),
    ("ratings.dat", Nothing, &["dyadic data", "not used"]),
    ("rbf.npy", Nothing, &["similarities of 60 items"]),
    ("rbf_zero_diag.npy", Nothing, &["similarities of 60 items", "--as distance"]),
    ("records.json", Nothing, &["300 points of 5 dimensions"]),
    ("s_1e308.npy", Nothing, &["larger than 1e150"]),
    ("savetxt.gz", Nothing, &["300 points of 5 dimensions"]),
    ("savetxt.txt", Nothing, &["300 points of 5 dimensions"]),
    ("sentinel.csv", Nothing, &["120 points of 2 dimensions", "column \"b\" has"]),
    ("sep_line.csv", Nothing, &["120 points of 4 dimensions"]),
    ("sif.sif", Nothing, &["graph of 77 nodes and 254 arcs"]),
    ("small.mtx", Nothing, &["graph of 60 nodes and 360 arcs"]),
    ("sparse_counts.npz", Nothing, &["dyadic data", "--as points"]),
    ("sparse_csc.npz", Nothing, &["dyadic data", "--as points"]),
    ("sparse_dia.npz", Nothing, &["\"dia\" cannot be read; save it as csr"]),
    ("sparse_graph.npz", Nothing, &["graph of 77 nodes and 254 undirected edges"]),
    ("strs.npz", Nothing, &["300 points of 5 dimensions; column \"names\" is the id"]),
    ("svmlight.txt", Nothing, &["300 points of 5 dimensions; metadata column \"label\""]),
    ("table.feather", Nothing, &["Feather", "to_csv"]),
    ("table.html", Nothing, &["HTML with a table", "to_csv"]),
    ("table.parquet", Nothing, &["Parquet"]),
    ("table.pkl", Nothing, &["a pickle"]),
    ("table.xlsx", Nothing, &["300 points of 5 dimensions; column \"name\" is the id"]),
    ("temporal.csv", Nothing, &["edge list (source, target): graph", "--weight timestamp"]),
    ("temporal_iso.csv", Nothing, &["edge list (source, target): graph"]),
    ("temporal_snap.txt", Nothing, &["edge list: graph of 100 nodes", "--weight 3"]),
    ("temporal_snap.txt", Ignore, &["edge list: graph of 100 nodes"]),
    ("title_line.csv", Nothing, &["300 points of 3 dimensions", "1 line above the table was skipped"]),
    ("trailing_comma.csv", Nothing, &["300 points of 3 dimensions; column \"name\" is the id"]),
    ("transactions.csv", Nothing, &["basket"]),
    ("two.npz", Nothing, &["--array: train (200, 5), test (100, 5)"]),
    ("uir.csv", Nothing, &["dyadic data"]),
    ("unnamed0.csv", Nothing, &["120 points of 4 dimensions"]),
    ("unnamed_twice.csv", Nothing, &["120 points of 4 dimensions"]),
    ("user_item_count.csv", Nothing, &["dyadic data, 200 items × 300 partners"]),
    ("user_item_ints.csv", Ratings, &["edge list (userId, movieId, rating): dyadic data"]),
    ("utf16.csv", Nothing, &["300 points of 5 dimensions; column \"name\" is the id"]),
    ("utf16le_nobom.csv", Nothing, &["300 points of 5 dimensions; column \"name\" is the id"]),
    ("utf8names.csv", Nothing, &["300 points of 5 dimensions; column \"name\" is the id"]),
    ("v5s.mat", Nothing, &["Problem (structure)"]),
    ("v5sp.mat", Nothing, &["graph of 77 nodes and 254 undirected edges"]),
    ("v73.mat", Nothing, &["300 points of 5 dimensions"]),
    ("w2v.bin", Nothing, &["400 points of 50 dimensions"]),
    ("w2v.txt", Nothing, &["400 points of 50 dimensions"]),
    ("xy.npz", Nothing, &["300 points of 5 dimensions; metadata column \"y\""]),
    ("xy_small.npz", Nothing, &["60 points of 5 dimensions; column \"names\" is the id"]),
    ("xyz_pairs.csv", Nothing, &["600 points of 2 dimensions", "--as graph"]),
    ("ünï çödé\nnl.csv", Nothing, &["300 points of 5 dimensions; column \"id\" is the id"]),
];

#[test]
fn every_odd_file_is_read_right_or_refused_with_its_cause() {
    let Some(folder) = folder().map(|folder| folder.join("odd")).filter(|folder| folder.is_dir()) else { return };
    let mut wrong = Vec::new();
    for (file, with, expected) in EXPECTED {
        let answer = match dosnes_io::read(folder.join(file), &with.options(), &mut Silent) {
            Ok(loaded) => {
                let notes: Vec<String> = loaded.notes.iter().map(ToString::to_string).collect();
                format!("{}; {}", loaded.detected, notes.join("; "))
            }
            Err(error) => error.to_string(),
        };
        if let Some(part) = expected.iter().find(|part| !answer.contains(**part)) {
            wrong.push(format!("{file}: “{part}” is not in: {answer}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for entry in folder.read_dir().unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(name == "ODD.md" || EXPECTED.iter().any(|(file, ..)| *file == name), "{name} is not in the table");
    }
}
