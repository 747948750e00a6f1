/** Reads the data of the page and builds it, or says why that is not possible. */
import "./style.css";
import { readModel } from "./data/model.ts";
import { build } from "./page.ts";
import { h } from "./panel/dom.ts";

const root = document.getElementById("app")!;
readModel().then(
  (model) => build(model, root),
  (error: unknown) => {
    const missing = typeof DecompressionStream === "undefined";
    const reason = error instanceof Error ? error.message : String(error);
    root.append(
      h(
        "p",
        { class: "failed", role: "alert" },
        missing
          ? "This browser is too old for this page, which needs DecompressionStream (2023). Please use a newer browser."
          : reason,
      ),
    );
  },
);
