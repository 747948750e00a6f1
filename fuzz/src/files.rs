//! Small files of the formats and forms that the files of the tests do not have, or have only in large files.

use dosnes::Named;
use dosnes_io::Format;
use hdf5_pure::{AttrValue, FileBuilder};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use std::path::PathBuf;

/// JSON in each of the forms that are understood.
const JSON: [&str; 13] = [
    r#"{"graph":{"directed":true,"nodes":{"a":{"label":"A"},"b":{"metadata":{"x":1}}},"edges":[{"source":"a","target":"b","metadata":{"weight":2}}]}}"#,
    r#"{"graphs":[{"nodes":[{"id":"a"},{"id":"b"},{"id":"c"}],"edges":[{"source":"a","target":"b"},{"source":"b","target":"c"}]}]}"#,
    r#"{"directed":false,"multigraph":false,"nodes":[{"id":"a","size":1.5},{"id":"b"},{"id":"c"}],"adjacency":[[{"id":"b","weight":2}],[{"id":"a","weight":2},{"id":"c"}],[{"id":"b"}]]}"#,
    r#"{"a":["b","c"],"b":["a"],"c":["a","b"]}"#,
    r#"{"a":{"b":2},"b":{"a":2,"c":1},"c":{"b":1},"d":{"a":{"weight":0.5}}}"#,
    r#"{"network":{"items":[{"id":1,"label":"A"},{"id":2},{"id":3}],"links":[{"source_id":1,"target_id":2,"strength":3},{"source_id":2,"target_id":3,"strength":1}]}}"#,
    r#"[{"data":{"id":"a"}},{"data":{"id":"b","size":2}},{"data":{"source":"a","target":"b","weight":1}}]"#,
    r#"{"columns":["x","y"],"index":["a","b","c"],"data":[[1,2],[3,4],[5,6]]}"#,
    r#"{"head":{"vars":["x","y"]},"results":{"bindings":[{"x":{"type":"literal","value":"1"},"y":{"value":"2"}},{"x":{"value":"3"},"y":{"value":"4"}}]}}"#,
    r#"{"labels":["a","b","c"],"matrix":[[0,1,2],[1,0,3],[2,3,0]]}"#,
    r#"{"a":{"x":1,"class":"k"},"b":{"x":2,"class":"l"},"c":{"x":3,"class":"k"}}"#,
    r#"{"count":2,"page":{"results":[{"x":1,"at":{"y":2}},{"x":3,"at":{"y":4}},{"x":5.5,"at":{"y":6}}]}}"#,
    r#"[[1,2,3],[4,5,6],[7,8,9.5],[1,0,2]]"#,
];

/// Texts of other formats.
const TEXTS: [(Format, &str); 17] = [
    (Format::EdgeList, "c a remark\np edge 4 3\ne 1 2\ne 2 3\ne 3 4\n"),
    (Format::EdgeList, "p sp 3 2\na 1 2 10\na 2 3 4\n"),
    (Format::EdgeList, "dl n=3 format=fullmatrix\nlabels:\na,b,c\ndata:\n0 1 2\n1 0 3\n2 3 0\n"),
    (Format::EdgeList, "dl n=3 format=edgelist1 labels embedded\ndata:\na b 1\nb c 2\n"),
    (Format::EdgeList, "% bip weighted\n% 3 2 2\n1 1 5\n2 1 3\n2 2 1\n"),
    (Format::EdgeList, "a -> b : 3\nb <-> c : 1\nc -- d : 0.5\n"),
    (Format::EdgeList, "a\tpp\tb\tc\nb\tpp\td\n"),
    (Format::Adjacency, "a: b, c\nb: a\nc: a, b\n"),
    (Format::Adjacency, "3 3 1\n2 5 3 1\n1 5 3 2\n1 1 2 2\n"),
    (
        Format::Pajek,
        "*Network n\n*Vertices 3\n1 \"a\" 0.1 0.2 0.5\n2 \"b\"\n3 \"c\"\n*Arcslist\n1 2 3\n*Edges\n2 3 1.5\n*Partition p\n*Vertices \
         3\n1\n2\n1\n*Vector v\n*Vertices 3\n0.5\n1\n2\n",
    ),
    (Format::Pajek, "*Vertices 5 3\n1 \"a\"\n2 \"b\"\n3 \"c\"\n4 \"x\"\n5 \"y\"\n*Edges\n1 4 1\n2 4 2\n3 5 1\n"),
    (Format::Table, ",one,one,two\n,x,y,x\nname,,,\na,1,2,3\nb,4,5,6\n"),
    (Format::Table, "user,item,rating\na,x,5\na,y,3\nb,x,4\nc,y,1\n"),
    (Format::Table, "A title\n\nname;x (m);y\na;1.234,5;2,5\nb;2.000,25;1,5\nc;0,5;3,0\n# a remark\n"),
    (
        Format::Table,
        "q1\ts1\t99.5\t100\t0\t0\t1\t100\t1\t100\t1e-50\t200\nq1\ts2\t80\t90\t5\t1\t1\t90\t3\t92\t1e-20\t90\n",
    ),
    (Format::Svmlight, "1 qid:3 1:0.5 7:2 # a remark\n-1 2:1e-3\n1,2 1:1\n"),
    (Format::Triangle, "3\na 0\nb 1.5 0\nc 2 3 0\n"),
];

/// The files, each with its format.
fn all() -> Vec<(Format, Vec<u8>)> {
    let mut files: Vec<(Format, Vec<u8>)> = JSON.iter().map(|text| (Format::Json, text.as_bytes().to_vec())).collect();
    files.extend(TEXTS.iter().map(|&(format, text)| (format, text.as_bytes().to_vec())));
    let table = "name,x,y\na,1,2\nb,3,4\nc,5,6\n".repeat(3);
    files.push((Format::Table, compress_to_vec(table.as_bytes(), CompressionLevel::Uncompressed)));
    files.push((Format::Table, compress_to_vec(table.as_bytes(), CompressionLevel::Fastest)));
    files.extend([(Format::H5ad, annotated(false)), (Format::H5ad, annotated(true))]);
    files.extend([(Format::TenX, cell_ranger()), (Format::Loom, loom())]);
    files
}

/// The data of four rows and three columns, by rows.
const VALUES: [f32; 12] = [1.0, 0.0, 2.0, 0.0, 3.0, 0.0, 4.0, 5.0, 0.0, 0.0, 0.0, 6.0];

/// AnnData: dense and compressed, or sparse and with a graph.
fn annotated(sparse: bool) -> Vec<u8> {
    let mut file = FileBuilder::new();
    file.set_attr("encoding-type", AttrValue::String("anndata".into()));
    if sparse {
        for (parent, name, sides) in [(None, "X", [4, 3]), (Some("obsp"), "connectivities", [4, 4])] {
            let mut outer = parent.map(|parent| file.create_group(parent));
            let mut matrix = match &mut outer {
                Some(outer) => outer.create_group(name),
                None => file.create_group(name),
            };
            matrix.set_attr("encoding-type", AttrValue::String("csr_matrix".into()));
            matrix.set_attr("shape", AttrValue::I64Array(sides.to_vec()));
            matrix.create_dataset("data").with_f32_data(&[1.0, 2.0, 3.0, 4.0]);
            matrix.create_dataset("indices").with_i32_data(&[1, 2, 0, 2]);
            matrix.create_dataset("indptr").with_i32_data(&[0, 1, 2, 3, 4]);
            let matrix = matrix.finish();
            match outer {
                Some(mut outer) => {
                    outer.add_group(matrix);
                    file.add_group(outer.finish());
                }
                None => file.add_group(matrix),
            }
        }
    } else {
        file.create_dataset("X")
            .with_f32_data(&VALUES)
            .with_shape(&[4, 3])
            .with_chunks(&[2, 3])
            .with_shuffle()
            .with_deflate(6);
    }
    let mut obs = file.create_group("obs");
    obs.set_attr("_index", AttrValue::String("cell".into()));
    obs.set_attr("column-order", AttrValue::StringArray(vec!["kind".into(), "size".into()]));
    obs.create_dataset("cell").with_vlen_strings(&["a", "b", "c", "d"]);
    obs.create_dataset("size").with_f64_data(&[1.0, 2.0, 3.0, 4.0]);
    let mut kind = obs.create_group("kind");
    kind.set_attr("encoding-type", AttrValue::String("categorical".into()));
    kind.create_dataset("categories").with_vlen_strings(&["k", "l"]);
    kind.create_dataset("codes").with_i8_data(&[0, 1, -1, 0]);
    obs.add_group(kind.finish());
    file.add_group(obs.finish());
    let mut var = file.create_group("var");
    var.set_attr("_index", AttrValue::String("_index".into()));
    var.create_dataset("_index").with_vlen_strings(&["x", "y", "z"]);
    file.add_group(var.finish());
    file.finish().expect("an HDF5 file")
}

/// The counts of three genes in four cells, as Cell Ranger writes them.
fn cell_ranger() -> Vec<u8> {
    let mut file = FileBuilder::new();
    let mut matrix = file.create_group("matrix");
    matrix.create_dataset("shape").with_i64_data(&[3, 4]);
    matrix.create_dataset("data").with_i32_data(&[1, 2, 3, 4]);
    matrix.create_dataset("indices").with_i64_data(&[0, 2, 1, 0]);
    matrix.create_dataset("indptr").with_i64_data(&[0, 1, 2, 3, 4]);
    matrix.create_dataset("barcodes").with_ascii_strings(&["a-1", "b-1", "c-1", "d-1"]).expect("texts of ASCII");
    let mut features = matrix.create_group("features");
    features.create_dataset("name").with_vlen_strings(&["x", "y", "z"]);
    matrix.add_group(features.finish());
    file.add_group(matrix.finish());
    file.finish().expect("an HDF5 file")
}

/// Four genes in three cells, as loom has them.
fn loom() -> Vec<u8> {
    let mut file = FileBuilder::new();
    file.create_dataset("matrix").with_f32_data(&VALUES).with_shape(&[4, 3]).with_chunks(&[4, 3]).with_lzf();
    let mut cells = file.create_group("col_attrs");
    cells.create_dataset("CellID").with_vlen_strings(&["a", "b", "c"]);
    cells.create_dataset("age").with_i32_data(&[1, 2, 3]);
    file.add_group(cells.finish());
    let mut genes = file.create_group("row_attrs");
    genes.create_dataset("Gene").with_vlen_strings(&["x", "y", "z", "w"]);
    file.add_group(genes.finish());
    file.finish().expect("an HDF5 file")
}

/// The folder of the corpus, which `cargo xtask fuzz` names.
pub fn folder() -> Option<PathBuf> {
    std::env::var_os("DOSNES_FUZZ_CORPUS").map(PathBuf::from)
}

/// Adds the files to the corpus, with the bytes before them that choose the format if the target takes these.
///
/// A file that cannot be read would let the fuzzer begin with an error, so each is read first.
pub fn put(chooses_format: bool) {
    let Some(folder) = folder() else { return };
    for (number, (format, bytes)) in all().into_iter().enumerate() {
        let options = dosnes_io::ReadOptions { format: Some(format), ..Default::default() };
        if let Err(error) = dosnes_io::read_bytes("a", &bytes, &options, &mut dosnes::observe::Silent) {
            panic!("the seed {number} cannot be read as {format}: {error}");
        }
        let at = Format::ALL.iter().position(|&other| other == format).expect("one of all formats") as u8;
        let start: &[u8] = if chooses_format { &[at, 0] } else { &[] };
        let name = format!("{}-{number}", format.name());
        std::fs::write(folder.join(name), [start, &bytes].concat()).expect("a file of the corpus");
    }
}
