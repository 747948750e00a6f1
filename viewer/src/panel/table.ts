/** A table of the highlighted items, sorted by any column, with a hundred rows per page. */
import type { App } from "../app.ts";
import { type Column, textOf } from "../data/model.ts";
import { oneLine } from "../draw/labels.ts";
import { count, h, icon } from "./dom.ts";

const PAGE = 100;

export function table(app: App): { dialog: HTMLDialogElement; open: () => void } {
  const { model, store } = app;
  const columns: readonly Column[] = [
    ...model.columns,
    ...(model.degree && !model.columns.some((c) => c.name === "degree") ? [model.degree] : []),
  ];
  let sort = { column: -2, up: true };
  let start = 0;
  let rows: Uint32Array = new Uint32Array(0);
  const words = h("p", { "aria-live": "polite" });
  const head = h("tr", {});
  const body = h("tbody", {});
  const grid = h("table", {}, h("caption", { class: "unseen" }, model.title), h("thead", {}, head), body);
  const back = h("button", { type: "button", click: () => turn(-PAGE) }, "Previous");
  const on = h("button", { type: "button", click: () => turn(PAGE) }, "Next");
  const close = h(
    "button",
    { type: "button", class: "plain", "aria-label": "Close the table", click: () => dialog.close() },
    icon("close"),
  );
  const dialog = h(
    "dialog",
    { class: "table", "aria-labelledby": "table-title" },
    h("div", { class: "title" }, h("h2", { id: "table-title" }, oneLine(model.title, 80)), close),
    h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Items" }, grid),
    h("div", { class: "pages" }, back, words, on),
  );

  const gather = () => {
    const { mask } = app;
    rows = Uint32Array.from({ length: model.count }, (_, i) => i);
    if (mask) rows = rows.filter((i) => mask[i] === 1);
    const { column, up } = sort;
    const sign = up ? 1 : -1;
    if (column >= 0) {
      const c = columns[column]!;
      if (c.type === "number") rows.sort((a, b) => sign * (c.values[a]! - c.values[b]!) || a - b);
      else {
        // Compares each distinct text once, not once for each row.
        const order = Array.from({ length: c.texts.length }, (_, i) => i).sort((a, b) =>
          compare(c.texts.at(a), c.texts.at(b)),
        );
        const place = new Uint32Array(order.length);
        for (const [i, text] of order.entries()) place[text] = i;
        const code = (i: number) => place[c.codes ? c.codes[i]! : i]!;
        rows.sort((a, b) => sign * (code(a) - code(b)) || a - b);
      }
    } else if (column === -1) rows.sort((a, b) => sign * compare(model.ids.at(a), model.ids.at(b)));
    start = 0;
  };
  const show = () => {
    head.replaceChildren(
      ...["id", ...columns.map((c) => c.name)].map((name, i) => {
        const mine = sort.column === i - 1;
        return h(
          "th",
          { scope: "col", "aria-sort": mine ? (sort.up ? "ascending" : "descending") : null },
          h(
            "button",
            {
              type: "button",
              class: "plain",
              click: () => {
                sort = { column: i - 1, up: mine ? !sort.up : true };
                gather();
                show();
              },
            },
            oneLine(name, 40),
            h("span", { "aria-hidden": "true" }, mine ? (sort.up ? " ↑" : " ↓") : ""),
          ),
        );
      }),
    );
    body.replaceChildren(
      ...Array.from(rows.subarray(start, start + PAGE), (item) =>
        h(
          "tr",
          { "aria-current": item === store.state.focus ? "true" : null },
          h(
            "th",
            { scope: "row" },
            h(
              "button",
              {
                type: "button",
                class: "plain",
                click: () => {
                  dialog.close();
                  app.visit(item);
                },
              },
              oneLine(model.ids.at(item), 40),
            ),
          ),
          ...columns.map((c) => h("td", { class: c.type, dir: "auto" }, oneLine(textOf(c, item), 80))),
        ),
      ),
    );
    const end = Math.min(rows.length, start + PAGE);
    words.textContent = rows.length
      ? `${count(start + 1)}–${count(end)} of ${count(rows.length)} ${model.noun}`
      : "No items";
    back.disabled = start === 0;
    on.disabled = end >= rows.length;
  };
  const turn = (by: number) => {
    start = Math.max(0, Math.min(start + by, Math.floor((rows.length - 1) / PAGE) * PAGE));
    show();
    grid.parentElement!.scrollTop = 0;
  };
  return {
    dialog,
    open() {
      gather();
      show();
      dialog.showModal();
    },
  };
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
