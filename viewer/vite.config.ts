import { createHash } from "node:crypto";
import { defineConfig, type Plugin } from "vite";

const sha256 = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/**
 * Folds the built script and style into the one page, and allows exactly these two by their hashes: whatever a label or
 * a column may contain, the browser runs and loads nothing else.
 */
function onePage(): Plugin {
  return {
    name: "one-page",
    enforce: "post",
    generateBundle(_options, bundle) {
      let script = "";
      let style = "";
      for (const [name, file] of Object.entries(bundle)) {
        if (file.type === "chunk") script += file.code;
        else if (name.endsWith(".css")) style += String(file.source);
        else continue;
        delete bundle[name];
      }
      // A "</script" within a text of ours would end the element.
      script = script.trim().replaceAll("</script", "<\\/script");
      style = style.trim();
      const page = bundle["index.html"];
      if (page?.type !== "asset") throw new Error("vite gave no index.html");
      const policy = [
        "default-src 'none'",
        `script-src ${sha256(script)}`,
        `style-src ${sha256(style)}`,
        "img-src data: blob:",
        "base-uri 'none'",
        "form-action 'none'",
      ].join("; ");
      page.fileName = "page.html";
      page.source = String(page.source)
        .replace(/\s*<script type="module"[^>]*><\/script>/, "")
        .replace(/\s*<link rel="stylesheet"[^>]*>/, "")
        .replace("<!--dosnes:policy-->", () => `<meta http-equiv="Content-Security-Policy" content="${policy}">`)
        .replace("<!--dosnes:style-->", () => `<style>${style}</style>`)
        .replace("<!--dosnes:script-->", () => `<script type="module">${script}</script>`);
    },
  };
}

export default defineConfig({
  base: "./",
  plugins: [onePage()],
  build: {
    // Into the crate that includes the page, so that its package is complete.
    outDir: "../crates/dosnes-view/assets",
    emptyOutDir: false,
    target: "es2022",
    modulePreload: false,
    cssCodeSplit: false,
    reportCompressedSize: false,
  },
  test: { testTimeout: 600_000, hookTimeout: 600_000, fileParallelism: false },
} as Parameters<typeof defineConfig>[0]);
