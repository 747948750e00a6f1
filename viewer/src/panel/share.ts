/** Links to a view, and export of pictures and tables. */
import type { App } from "../app.ts";
import { countOf } from "../ask/standing.ts";
import { csv } from "../share/csv.ts";
import { encode, MOST_SELECTED } from "../share/permalink.ts";
import { png, svg } from "../share/picture.ts";
import { choose, h, icon } from "./dom.ts";
import { storyForm } from "./story.ts";

/** Downloads a file. */
export function save(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

const fileName = (app: App, ending: string): string => {
  const stem = app.model.title
    .normalize("NFKD")
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 60);
  return `${stem || "globe"}.${ending}`;
};

export const saveCsv = (app: App): void =>
  save(new Blob([csv(app.model, app.mask)], { type: "text/csv;charset=utf-8" }), fileName(app, "csv"));

export function link(app: App): string {
  return `${location.href.split("#")[0]}#${encode(
    app.store.state,
    app.panes.map((p) => p.camera),
    app.model,
  )}`;
}

export function share(app: App, stage: HTMLElement): { dialog: HTMLDialogElement; open: () => void } {
  const address = h("input", { type: "text", readonly: true, "aria-label": "Link to this view" });
  const story = storyForm(app, () => {
    address.value = link(app);
  });
  const words = h("p", { class: "note", role: "status" });
  let [width, background] = ["4096", "page"];
  const options = () => {
    const { clientWidth, clientHeight } = stage;
    const w = Number(width);
    return {
      width: w,
      height: Math.min(8192, Math.round((w * clientHeight) / clientWidth)),
      transparent: background === "none",
      legend: legend.checked,
    };
  };
  const legend = h("input", { type: "checkbox", checked: true });
  const busy = async (what: string, work: () => Promise<void> | void) => {
    words.textContent = `${what} …`;
    // Lets the message appear before the browser is busy.
    await new Promise((done) => setTimeout(done, 30));
    try {
      await work();
      words.textContent = `${what}: done`;
    } catch (error) {
      words.textContent = error instanceof Error ? error.message : String(error);
    }
  };
  const copy = h(
    "button",
    {
      type: "button",
      click: () =>
        busy("Copying the link", async () => {
          address.select();
          // Some browsers do not allow pages from a file to use the clipboard. The user can still copy the selected text.
          await navigator.clipboard.writeText(address.value);
        }),
    },
    "Copy link",
  );
  const dialog = h(
    "dialog",
    { class: "share", "aria-labelledby": "share-title" },
    h(
      "div",
      { class: "title" },
      h("h2", { id: "share-title" }, "Share"),
      h(
        "button",
        { type: "button", class: "plain", "aria-label": "Close", click: () => dialog.close() },
        icon("close"),
      ),
    ),
    h("h3", {}, "This view"),
    h("div", { class: "row" }, address, copy),
    story.element,
    h("h3", {}, "Picture"),
    h(
      "div",
      { class: "choices" },
      choose(
        "Width",
        [
          ["2048", "2K"],
          ["4096", "4K"],
          ["8192", "8K"],
        ],
        width,
        (v) => (width = v),
      ),
      choose(
        "Background",
        [
          ["page", "as on the page"],
          ["none", "transparent"],
        ],
        background,
        (v) => (background = v),
      ),
      h("label", { class: "choice" }, h("span", {}, "Legend"), legend),
    ),
    h(
      "div",
      { class: "row" },
      h(
        "button",
        {
          type: "button",
          id: "save-png",
          click: () => busy("PNG", async () => save(await png(app, options()), fileName(app, "png"))),
        },
        "Save PNG",
      ),
      h(
        "button",
        {
          type: "button",
          id: "save-svg",
          click: () =>
            busy("SVG", () =>
              save(
                new Blob(
                  [svg(app, { ...options(), width: 1200, height: (1200 * stage.clientHeight) / stage.clientWidth })],
                  { type: "image/svg+xml" },
                ),
                fileName(app, "svg"),
              ),
            ),
        },
        "Save SVG",
      ),
      h("button", { type: "button", id: "save-csv", click: () => busy("CSV", () => saveCsv(app)) }, "Save CSV"),
    ),
    words,
  );
  return {
    dialog,
    open() {
      address.value = link(app);
      story.open();
      const selected = countOf(app.store.state.selection);
      words.textContent =
        selected > MOST_SELECTED
          ? `The link does not include the selection, because it has more than ${MOST_SELECTED} items.`
          : "";
      dialog.showModal();
    },
  };
}
