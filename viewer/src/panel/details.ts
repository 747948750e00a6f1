/** The card under the cursor, and the details of the clicked item. */
import type { App } from "../app.ts";
import type { Neighbor } from "../ask/neighbors.ts";
import { CLUSTER_NAME, CLUSTER_NUMBER } from "../choice.ts";
import { titleOf } from "../color/coloring.ts";
import { formatNumber, textOf } from "../data/model.ts";
import { oneLine } from "../draw/labels.ts";
import type { Pane } from "../pane/pane.ts";
import { closer, count, h } from "./dom.ts";

const SHORT = 90;
const LONG = 600;

/** Whether a text may become a link: only http and https addresses. */
const isLink = (text: string) => /^https?:\/\/[^\s"<>]+$/i.test(text);

/** All columns of an item, with links for values that are addresses. */
function values(app: App, item: number, most: number, links: boolean, rows = Infinity): HTMLElement {
  const list = h("dl", { class: "values" });
  const add = (name: string, text: string) => {
    if (!text) return;
    const safe = links && isLink(text);
    const shown = oneLine(text, most);
    list.append(
      h("dt", {}, oneLine(name, 40)),
      h(
        "dd",
        { dir: "auto" },
        safe ? h("a", { href: text, target: "_blank", rel: "noopener noreferrer" }, shown) : shown,
      ),
    );
  };
  const name = app.name(item);
  if (app.model.ids.at(item) !== name) add("id", app.model.ids.at(item));
  const shown = app.model.columns.filter((c) => !(app.model.clusters && c.name === CLUSTER_NUMBER));
  for (const column of shown.slice(0, rows)) {
    const text = textOf(column, item);
    if (text !== name || (links && isLink(text)))
      add(column.name === CLUSTER_NAME ? "cluster" : titleOf(column.name), text);
  }
  if (app.model.degree && !app.model.columns.some((c) => c.name === "degree"))
    add(titleOf("degree").toLowerCase(), textOf(app.model.degree, item));
  for (const view of app.model.views) {
    if (view.trust)
      add(
        app.model.views.length > 1 ? `trust, ${view.name}` : "trust",
        `${Math.round(100 * view.trust.values[item]!)} %`,
      );
  }
  return list;
}

function image(app: App, item: number): HTMLElement | null {
  if (!app.sheet) return null;
  const source = app.sheet.image(item, app.colorOf(app.model.views[0]!, item));
  const canvas = h("canvas", { class: "image", width: source.width, height: source.height, "aria-hidden": "true" });
  canvas.getContext("2d")!.drawImage(source, 0, 0);
  return canvas;
}

/** A small image of a neighbour. */
function thumbnail(app: App, item: number): HTMLElement | null {
  const picture = image(app, item);
  picture?.classList.replace("image", "thumbnail");
  return picture;
}

export function card(app: App, stage: HTMLElement): HTMLElement {
  const element = h("div", { class: "card", id: "card", hidden: true, "aria-hidden": "true" });
  let pointer = { x: 0, y: 0 };
  stage.addEventListener("pointermove", (event) => {
    pointer = { x: event.clientX, y: event.clientY };
    if (!element.hidden) place();
  });
  const place = () => {
    const { width, height } = element.getBoundingClientRect();
    const x = pointer.x + 18 + width > innerWidth ? pointer.x - width - 14 : pointer.x + 18;
    const y = pointer.y + 14 + height > innerHeight ? pointer.y - height - 12 : pointer.y + 14;
    element.style.transform = `translate(${Math.max(4, x)}px, ${Math.max(4, y)}px)`;
  };
  app.store.on(["hover", "focus"], () => {
    const { hover, focus } = app.store.state;
    // The details already say all about the item that was clicked.
    element.hidden = hover < 0 || hover === focus;
    if (element.hidden) return;
    element.replaceChildren(
      h("div", {}, h("h3", { dir: "auto" }, oneLine(app.name(hover), SHORT)), values(app, hover, SHORT, false, 14)),
      image(app, hover) ?? "",
    );
    place();
  });
  return element;
}

export function details(app: App): { panel: HTMLElement } {
  const { store } = app;
  const panel = h("section", { class: "panel details", id: "details", "aria-label": "Selected item", hidden: true });
  const update = () => {
    const { focus } = store.state;
    panel.hidden = focus < 0;
    if (focus < 0) return;
    // On a phone only the first lines are shown until the user wants more, so that the globe stays visible.
    const more = h(
      "button",
      {
        type: "button",
        class: "more",
        "aria-expanded": "false",
        click: () => {
          const open = panel.classList.toggle("open");
          more.setAttribute("aria-expanded", String(open));
          more.textContent = open ? "Less" : "More";
        },
      },
      "More",
    );
    panel.classList.remove("open");
    panel.scrollTop = 0;
    panel.replaceChildren(
      h(
        "div",
        { class: "title" },
        image(app, focus),
        h("h2", { dir: "auto" }, oneLine(app.name(focus), 160)),
        more,
        closer("Close", () => store.set({ focus: -1 })),
      ),
      app.panes.some((pane) => pane.sphere) ? centre(app, focus) : "",
      values(app, focus, LONG, true),
      ...app.panes.map((pane) => neighbors(app, pane, focus)),
      app.model.neighbors ? h("p", { class: "explain" }, explanation(app.model.neighbors.weights !== null)) : "",
    );
    const first = app.panes[0];
    const kept = first ? first.neighbors(focus).lists.inData.filter((n) => n.shared).length : 0;
    app.announce(
      `${oneLine(app.name(focus), 160)}. ${app.model.neighbors && first ? `${kept} of ${first.neighbors(focus).lists.inData.length} neighbours kept on the map.` : ""}`,
    );
  };
  store.on(["focus", "label", "projection"], update);
  update();
  return { panel };
}

/** "Centre here", or what is nearest and farthest while the map is centred. */
function centre(app: App, item: number): HTMLElement {
  const pane = app.panes.find((p) => p.sphere)!;
  const [near] = pane.neighbors(item).lists.onMap;
  const far = app.store.state.projection === "equidistant" ? pane.farthest(item) : null;
  const visit = (other: number, degrees: number) =>
    h(
      "button",
      { type: "button", class: "link", click: () => app.visit(other) },
      `${oneLine(app.name(other), 40)}, ${degrees.toFixed(0)}°`,
    );
  return h(
    "div",
    { class: "centre" },
    h(
      "button",
      {
        type: "button",
        title: "The whole sphere, with true distances from this item (H)",
        click: () => app.centreOn(item),
      },
      "Centre here",
    ),
    far &&
      near &&
      h("p", {}, "Nearest: ", visit(near.item, near.value), ". Farthest: ", visit(far.item, far.degrees), "."),
  );
}

function neighbors(app: App, pane: Pane, item: number): HTMLElement {
  const { inData, onMap } = pane.neighbors(item).lists;
  // Without similarities there are no neighbours in the data to compare with.
  const compared = app.model.neighbors !== null;
  const place = pane.sphere ? "On the sphere" : pane.view.space === "plane" ? "In the plane" : "In space";
  const row = (n: Neighbor, text: string, strength: number | null) => {
    const bar = h("span", { class: "bar" });
    if (strength !== null) bar.style.width = `${Math.max(4, 100 * strength)}%`;
    return h(
      "li",
      { class: !compared ? "" : n.shared ? "shared" : "alone" },
      h(
        "button",
        {
          type: "button",
          title: !compared ? "" : n.shared ? "in both lists" : "only in this list",
          click: () => {
            app.visit(n.item);
          },
          pointerenter: () => app.store.set({ hover: n.item }),
          pointerleave: () => app.store.set({ hover: -1 }),
        },
        compared && h("span", { class: "mark", "aria-hidden": "true" }, n.shared ? "●" : "○"),
        thumbnail(app, n.item),
        h("span", { class: "name", dir: "auto" }, oneLine(app.name(n.item), 40)),
        compared && h("span", { class: "unseen" }, n.shared ? ", in both lists" : ", only here"),
        text && h("span", { class: "count" }, text),
        strength !== null && h("span", { class: "strength" }, bar),
      ),
    );
  };
  const several = app.panes.length > 1;
  const heading = several ? "h4" : "h3";
  const lists = h("div", { class: "lists" });
  if (app.model.neighbors) {
    lists.append(
      h(
        "div",
        {},
        h(heading, {}, "In the data"),
        inData.length
          ? h("ol", { class: "in-data" }, ...inData.map((n) => row(n, weightOf(n), n.value)))
          : h("p", {}, "No similarities."),
      ),
    );
  }
  lists.append(
    h(
      "div",
      {},
      h(heading, {}, place),
      h(
        "ol",
        { class: "on-map" },
        ...onMap.map((n) => row(n, pane.sphere ? `${n.value.toFixed(1)}°` : n.value.toFixed(3), null)),
      ),
    ),
  );
  const kept = inData.filter((n) => n.shared).length;
  return h(
    "div",
    { class: "neighbors" },
    several && h("h3", {}, pane.view.name),
    app.model.neighbors &&
      inData.length > 0 &&
      h("p", { class: "kept" }, h("b", {}, `${count(kept)} of ${count(inData.length)}`), " neighbours kept on the map"),
    lists,
  );
}

/** Four digits are enough beside a name. */
const weightOf = ({ weight }: Neighbor): string =>
  weight === null ? "" : formatNumber(weight < 1000 ? Number(weight.toPrecision(4)) : Math.round(weight));

const explanation = (given: boolean): string =>
  `In the data: the most similar items, by the similarities from which the map was made; bars are relative to the first.${
    given ? " Numbers are the weights as given, before all totals were made equal." : ""
  } The other list has the nearest items on the map. ● is in both lists, ○ in one only.`;
