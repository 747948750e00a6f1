/** Writes the pages that tests look at, by the Rust crate's example, and says where they are. */
import { spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");

function run(program, options) {
  const { status } = spawnSync(program, options, { cwd: root, stdio: "inherit" });
  if (status !== 0) throw new Error(`${program} could not write the pages`);
}

export function writePages(...names) {
  const directory = mkdtempSync(join(tmpdir(), "dosnes-pages-"));
  // As `cargo xtask test` builds everything, so that nothing is built twice.
  run("cargo", ["build", "--profile", "checked", "--quiet", "--workspace", "--example", "pages"]);
  run(join(process.env.CARGO_TARGET_DIR ?? join(root, "target"), "checked/examples/pages"), [directory, ...names]);
  return { directory, address: (name) => pathToFileURL(join(directory, `${name}.html`)).href };
}
