/** The title and the search. */
import type { App } from "../app.ts";
import { type Found, type Group, search } from "../ask/search.ts";
import { titleOf } from "../color/coloring.ts";
import { textOf } from "../data/model.ts";
import { oneLine } from "../draw/labels.ts";
import { unfiltered } from "../state.ts";
import { count, h } from "./dom.ts";

export function header(app: App): HTMLElement {
  const { model, store } = app;
  const facts = [`${count(model.count)} ${model.noun}`, ...(model.views.length === 1 ? [model.views[0]!.name] : [])];
  const list = h("ul", { id: "found", class: "found", role: "listbox", "aria-label": "Search results", hidden: true });
  const input = h("input", {
    type: "search",
    id: "search",
    placeholder: `Search ${model.noun}`,
    autocomplete: "off",
    spellcheck: "false",
    role: "combobox",
    "aria-label": `Search ${model.noun}`,
    "aria-controls": "found",
    "aria-expanded": "false",
    "aria-autocomplete": "list",
  });
  let found: Found = { named: [], described: [], groups: [], total: 0, mask: new Uint8Array(0) };
  let active = -1;

  const go = (item: number) => {
    close();
    app.visit(item);
  };
  const goTo = (group: Group) => {
    close();
    if (group.kind === "place") app.flyToCluster(group.level, group.cluster);
    else {
      store.set({ ...unfiltered(), color: group.column, isolated: new Set([group.code]) });
      app.faceStanding();
    }
    app.announce(`${group.kind === "place" ? "At" : "Shown:"} ${group.name}`);
  };
  const selectAll = () => {
    close();
    store.set({ selection: found.total ? found.mask : null });
    app.announce(`${count(found.total)} ${model.noun} selected`);
  };
  const close = () => {
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
    active = -1;
  };
  const mark = (place: number) => {
    const rows = [...list.querySelectorAll("[role=option]")];
    active = rows.length ? (place + rows.length) % rows.length : -1;
    for (const [i, row] of rows.entries()) row.setAttribute("aria-selected", String(i === active));
    if (active >= 0) {
      input.setAttribute("aria-activedescendant", rows[active]!.id);
      rows[active]!.scrollIntoView({ block: "nearest" });
    }
  };
  const show = () => {
    const query = input.value.trim();
    if (!query) return close();
    found = search(model, query, store.state.label, app.weights);
    let rows = 0;
    const row = (name: string, more: string, act: () => void, kind = "") =>
      h(
        "li",
        { role: "option", id: `found-${rows++}`, class: kind, "aria-selected": "false", click: act },
        h("b", {}, oneLine(name, 40)),
        h("span", {}, oneLine(more, 60)),
      );
    const itemRow = (item: number) => row(app.name(item), aside(app, item, query), () => go(item));
    list.replaceChildren(
      ...found.named.map(itemRow),
      ...found.groups.map((group) => row(group.name, asideOf(app, group), () => goTo(group), "group")),
      ...found.described.map(itemRow),
      found.total > 1
        ? h(
            "li",
            { role: "option", id: "found-all", class: "all", "aria-selected": "false", click: selectAll },
            `Select all ${count(found.total)}`,
          )
        : found.total === 0
          ? h(
              "li",
              { class: "none", role: "option", "aria-disabled": "true", "aria-selected": "false", id: "found-none" },
              "Nothing found",
            )
          : "",
    );
    list.hidden = false;
    input.setAttribute("aria-expanded", "true");
    mark(0);
    app.announce(`${count(found.total)} found`);
  };
  input.addEventListener("input", show);
  input.addEventListener("focus", () => input.value && show());
  input.addEventListener("blur", () => setTimeout(close, 150));
  list.addEventListener("pointerdown", (event) => event.preventDefault());
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") mark(active + 1);
    else if (event.key === "ArrowUp") mark(active - 1);
    else if (event.key === "Escape") {
      input.value = "";
      close();
    } else if (event.key === "Enter")
      (list.querySelectorAll("[role=option]")[active] as HTMLElement | undefined)?.click();
    else return;
    event.preventDefault();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || (event.target as HTMLElement).matches("input, select, textarea")) return;
    event.preventDefault();
    input.focus();
  });
  return h(
    "header",
    { class: "head" },
    // One long word would break in the middle.
    h("h1", { title: model.title, class: /\S{15}/.test(model.title) ? "long" : null }, oneLine(model.title, 120)),
    model.subtitle && h("p", { class: "subtitle" }, oneLine(model.subtitle, 240)),
    h("p", { class: "facts" }, ...facts.map((fact) => h("span", {}, fact))),
    h("div", { class: "search" }, input, list),
  );
}

/** What a class or a place is, and how large. */
function asideOf({ model }: App, group: Group): string {
  const kind = group.kind === "place" ? "place" : titleOf(group.column);
  return `${kind} · ${count(group.count)} ${model.noun}`;
}

/** The text of a search result that contains the query, or else its first text that is not its name. */
function aside(app: App, item: number, query: string): string {
  const name = app.name(item);
  const texts = [
    app.model.ids.at(item),
    ...app.model.columns.filter((c) => c.type === "text").map((c) => textOf(c, item)),
  ];
  const others = texts.filter((t) => t && t !== name);
  return others.find((t) => t.toLowerCase().includes(query.toLowerCase())) ?? others[0] ?? "";
}
