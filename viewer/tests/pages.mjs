/** Writes the pages that tests look at, by the Rust crate's example, and says where they are. */
import { spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");

export function writePages(...names) {
  const directory = mkdtempSync(join(tmpdir(), "dosnes-pages-"));
  // The profile that `cargo xtask test` builds everything with, so that nothing is built twice.
  const cargo = ["run", "--profile", "checked", "--quiet", "-p", "dosnes-view", "--example", "pages"];
  const arguments_ = [...cargo, "--", directory, ...names];
  const { status } = spawnSync("cargo", arguments_, { cwd: root, stdio: "inherit" });
  if (status !== 0) throw new Error("cargo could not write the pages");
  return { directory, address: (name) => pathToFileURL(join(directory, `${name}.html`)).href };
}
