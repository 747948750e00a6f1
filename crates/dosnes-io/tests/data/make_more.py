"""Makes the files of tests/files/more_formats.rs and each_format.rs, with the standard library alone.

Tables hold 10 i + j at (i, j), and graphs are the chain ant – bee – çat – dog – eel with the weights 2 to 5.
"""

import bz2
import io
import json
import lzma
import struct
import zipfile
from pathlib import Path

HERE = Path(__file__).parent
NAMES = ["ant", "bee", "çat", "dog", "eel"]
ROWS = [[10 * i + j for j in range(3)] for i in range(5)]
RECORDS = [dict(name=name, u=row[0], v=row[1], w=row[2]) for name, row in zip(NAMES, ROWS)]
LINKS = [dict(source=NAMES[i], target=NAMES[i + 1], weight=i + 2) for i in range(4)]
CSV = "name,u,v,w\n" + "".join(f"{name},{a},{b},{c}\n" for name, (a, b, c) in zip(NAMES, ROWS))


def write(name, contents):
    (HERE / name).write_bytes(contents if isinstance(contents, bytes) else contents.encode())


def archive(files):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, text in files.items():
            packed.writestr(name, text)
    return out.getvalue()


def sheet(rows):
    return f'<?xml version="1.0"?><worksheet><sheetData>{rows}</sheetData></worksheet>'


def workbook():
    texts = ["name", "u", "v", "w", *NAMES]
    first = '<row r="1">' + "".join(f'<c r="{c}1" t="s"><v>{k}</v></c>' for k, c in enumerate("ABCD")) + "</row>"
    for i, row in enumerate(ROWS):
        cells = "".join(f'<c r="{c}{i + 2}"><v>{value}</v></c>' for c, value in zip("BCD", row))
        first += f'<row r="{i + 2}"><c r="A{i + 2}" t="s"><v>{4 + i}</v></c>{cells}</row>'
    second = "".join(
        f'<row r="{r}"><c r="A{r}"><v>{a}</v></c><c r="B{r}"><v>{b}</v></c></row>'
        for r, (a, b) in enumerate([(1, 2.5), (3, 4), (5, 6)], 1)
    )
    types = "http://schemas.openxmlformats.org/package/2006/content-types"
    return archive({
        "[Content_Types].xml": f'<?xml version="1.0"?><Types xmlns="{types}"/>',
        "xl/workbook.xml": '<?xml version="1.0"?><workbook xmlns:r="r"><sheets><sheet name="data" sheetId="1" '
        'r:id="rId1"/><sheet name="other" sheetId="2" r:id="rId2"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": '<?xml version="1.0"?><Relationships><Relationship Id="rId1" '
        'Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Target="/xl/worksheets/sheet2.xml"/></Relationships>',
        "xl/sharedStrings.xml": '<?xml version="1.0"?><sst>' + "".join(f"<si><t>{t}</t></si>" for t in texts) + "</sst>",
        "xl/worksheets/sheet1.xml": sheet(first),
        "xl/worksheets/sheet2.xml": sheet(second),
    })


write("table.csv.bz2", bz2.compress(CSV.encode()))
write("table.csv.xz", lzma.compress(CSV.encode()))
write("table_utf16.csv", CSV.encode("utf-16"))
write("table.zip", archive({"table.csv": CSV}))
write("workbook.xlsx", workbook())
write("records.json", json.dumps(RECORDS))
write("columns.json", json.dumps({key: {str(i): r[key] for i, r in enumerate(RECORDS)} for key in RECORDS[0]}))
write("lines.jsonl", "".join(json.dumps(record) + "\n" for record in RECORDS))
nodes = [dict(id=name, size=i) for i, name in enumerate(NAMES)]
write("nodelink.json", json.dumps({"directed": False, "nodes": nodes, "links": LINKS}))
positions = [dict(source=i, target=i + 1, value=i + 2) for i in range(4)]
write("positions.json", json.dumps({"nodes": [{"name": name} for name in NAMES], "links": positions}))
elements = {"nodes": [{"data": node} for node in nodes], "edges": [{"data": link} for link in LINKS]}
write("cytoscape.json", json.dumps({"elements": elements}))
gml = "".join(f'  node [ id {i} label "{name}" size {i} ]\n' for i, name in enumerate(NAMES))
gml += "".join(f"  edge [ source {i} target {i + 1} weight {i + 2} ]\n" for i in range(4))
write("chain.gml", f'Creator "by hand"\ngraph [\n  directed 0\n{gml}]\n')
write(
    "chain.dot",
    '/* by hand */\ngraph chain {\n  node [shape=box];\n  "ant" [size=0]; bee [size=1]\n  ant -- bee [weight=2];\n'
    '  bee -- "çat" [weight=3, color="red"]\n  "çat" -- dog [weight=4]; dog -- eel [weight="5"];\n}\n',
)
write("chain.adjlist", "# by hand\nant bee\nbee çat\nçat dog\ndog eel\neel\n")
write("chain.metis", "5 4\n2\n1 3\n2 4\n3 5\n4\n")
write(
    "chain.sif",
    "ant likes bee\nbee likes çat\nçat eats dog\ndog likes eel\nant likes dog\neel likes ant\nbee eats dog\n",
)
write("points.svmlight", "".join(f"{i % 2} 1:{a} 2:{b} 3:{c}\n" for i, (a, b, c) in enumerate(ROWS)))
write("points.fvecs", b"".join(struct.pack("<i3f", 3, *row) for row in ROWS))
write("points.bvecs", b"".join(struct.pack("<i3B", 3, *row) for row in ROWS))
write("points.fbin", struct.pack("<II", 5, 3) + b"".join(struct.pack("<3f", *row) for row in ROWS))
words = [name.encode() + b" " + struct.pack("<3f", *row) + b"\n" for name, row in zip(NAMES, ROWS)]
write("words.bin", b"5 3\n" + b"".join(words))
write("lower.csv", "".join(",".join(str(i - j) for j in range(i + 1)) + "\n" for i in range(5)))
write("upper.txt", "".join(" ".join(str(j - i) for j in range(i + 1, 5)) + "\n" for i in range(4)))
distances = (f"{name:10}" + " ".join(f"{abs(i - j):.4f}" for j in range(5)) for i, name in enumerate(NAMES))
write("distances.phy", "5\n" + "\n".join(distances) + "\n")
write("points.ivecs", b"".join(struct.pack("<i3i", 3, *row) for row in ROWS))
write("points.u8bin", struct.pack("<II", 5, 3) + b"".join(struct.pack("<3B", *row) for row in ROWS))
write("points.i8bin", struct.pack("<II", 5, 3) + b"".join(struct.pack("<3b", *row) for row in ROWS))
write("words.txt", "5 3\n" + "".join(f"{name} {a}.0 {b}.0 {c}.0\n" for name, (a, b, c) in zip(NAMES, ROWS)))
write("glove.txt", "".join(f"{name} {a}.0 {b}.0 {c}.0\n" for name, (a, b, c) in zip(NAMES, ROWS)))
chain = [(NAMES[i], NAMES[i + 1], i + 2) for i in range(4)]
write("chain.csv", "source,target,weight\n" + "".join(f"{a},{b},{w}\n" for a, b, w in chain))
write("chain.edges", "# by hand\n" + "".join(f"{a} {b} {w}\n" for a, b, w in chain))
write("chain.ncol", "".join(f"{a} {b} {w}\n" for a, b, w in chain))
write("chain_arrows.txt", "".join(f"{a} -> {b} : {w}\n" for a, b, w in chain))
write("out.chain", "% sym weighted\n% 4 5 5\n" + "".join(f"{i + 1} {i + 2} {i + 2}\n" for i in range(4)))
write("chain.col", "c by hand\np edge 5 4\n" + "".join(f"e {i + 1} {i + 2}\n" for i in range(4)))
matrix = "".join(" ".join(str(max(i, j) + 1 if abs(i - j) == 1 else 0) for j in range(5)) + "\n" for i in range(5))
write("chain.dl", f"dl n=5 format=fullmatrix\nlabels:\nant,bee,cat,dog,eel\ndata:\n{matrix}")
vertices = "".join(f'{i + 1} "{name}"\n' for i, name in enumerate(NAMES))
edges = "".join(f"{i + 1} {i + 2} {i + 2}\n" for i in range(4))
write("chain.paj", f"*Network chain\n*Vertices 5\n{vertices}*Edges\n{edges}\n*Partition size\n*Vertices 5\n1\n2\n1\n2\n1\n")
lists = [[n for n in (i - 1, i + 1) if 0 <= n < 5] for i in range(5)]
write("chain_lists.txt", "".join(f"{NAMES[i]}: {', '.join(NAMES[n] for n in near)}\n" for i, near in enumerate(lists)))
# Genes × cells, as Cell Ranger writes it: the counts of make.py, transposed.
entries = [(0, 0), (0, 2), (1, 1), (2, 0), (3, 2), (4, 0), (4, 1)]
(HERE / "cells").mkdir(exist_ok=True)
counts = "".join(f"{gene + 1} {cell + 1} {k + 1}\n" for k, (cell, gene) in enumerate(entries))
write("cells/matrix.mtx", f"%%MatrixMarket matrix coordinate integer general\n3 5 7\n{counts}")
write("cells/barcodes.tsv", "".join(f"{name}-1\n" for name in NAMES))
write("cells/features.tsv", "".join(f"ENSG0000000000{g}\tGene{g}\tGene Expression\n" for g in range(3)))
