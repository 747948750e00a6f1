import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "vite";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const committed = readFileSync(`${root}/../crates/dosnes-view/assets/page.html`, "utf8");

test("the committed page is what the sources give: otherwise run `npm run build`", async () => {
  const output = await build({ root, logLevel: "silent", build: { write: false } });
  const { output: files } = (Array.isArray(output) ? output[0] : output) as {
    output: { fileName: string; source: string }[];
  };
  const built = files.find((f) => f.fileName === "page.html");
  expect(built?.source === committed).toBe(true);
});

test("its code is at most 80 KiB, compressed", () => {
  expect(gzipSync(committed, { level: 9 }).length).toBeLessThan(80 * 1024);
});

test("it allows nothing but its own script and style", () => {
  const policy = /Content-Security-Policy" content="([^"]+)"/.exec(committed)![1]!;
  expect(policy).toMatch(
    /^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; img-src data: blob:; base-uri 'none'; form-action 'none'$/,
  );
  expect(committed.match(/<script/g)).toHaveLength(1);
  expect(committed).not.toMatch(/https?:\/\/(?!www\.w3\.org)/);
});
