/** Projections and tools. */
import type { App } from "../app.ts";
import { type ProjectionId, sphereProjections } from "../geometry/projection.ts";
import { zoomAt } from "../interaction.ts";
import { FILTERS, type LassoMode, unfiltered } from "../state.ts";
import { count, h, type IconName, icon } from "./dom.ts";

export interface Opener {
  table(): void;
  share(): void;
  help(): void;
  settings(): void;
  charts(): void;
}

/** The two views that lead; the others are under "More". */
const LEADING: readonly (readonly [ProjectionId, string])[] = [
  ["globe", "Globe"],
  ["equalearth", "Whole map"],
];

export function toolbar(app: App, open: Opener): HTMLElement {
  const { store, model } = app;
  const bar = h("div", { class: "toolbar", role: "toolbar", "aria-label": "View and tools" });
  if (model.views.some((v) => v.space === "sphere")) bar.append(projectionChoice(app));
  const button = (name: IconName, caption: string, full: string, act: () => void, kind = "") =>
    h(
      "button",
      { type: "button", class: `tool ${kind}`, title: full, "aria-label": full, click: act },
      icon(name),
      h("span", { class: "caption", "aria-hidden": "true" }, caption),
    );
  const toggle = (element: HTMLElement, on: () => boolean, keys: Parameters<typeof store.on>[0]) => {
    const update = () => element.setAttribute("aria-pressed", String(on()));
    store.on(keys, update);
    update();
    return element;
  };
  const every = (act: (pane: App["panes"][number]) => void) => () => app.panes.forEach(act);
  const middle = (factor: number) => every((pane) => zoomAt(pane, pane.crosshair.x, pane.crosshair.y, factor));
  const tools = h(
    "div",
    { class: "tools" },
    button("plus", "Zoom in", "Zoom in", middle(1.5), "wide"),
    button("minus", "Zoom out", "Zoom out", middle(1 / 1.5), "wide"),
    button(
      "north",
      "North",
      "North up",
      every((pane) => pane.northUp()),
      "wide",
    ),
    toggle(
      button("lasso", "Select", "Lasso: draw around points to select them (or hold Shift)", () =>
        store.set({ tool: store.state.tool === "lasso" ? "turn" : "lasso" }),
      ),
      () => store.state.tool === "lasso",
      ["tool"],
    ),
    toggle(
      button("ghost", "Far side", "Show the far side faintly", () => store.set({ ghost: !store.state.ghost }), "wide"),
      () => store.state.ghost,
      ["ghost"],
    ),
    model.neighbors &&
      toggle(
        button(
          "arcs",
          "Edges",
          "Edges: arcs of the strongest similarities, of the selection or of all (E)",
          () => store.set({ arcs: !store.state.arcs }),
          "wide",
        ),
        () => store.state.arcs,
        ["arcs"],
      ),
    button("charts", "Charts", "Charts: what distinguishes items, and filters by class and number (I)", open.charts),
    button("table", "Table", "Table of all items", open.table),
    button("share", "Share", "Share and export", open.share),
    button(
      "theme",
      "Theme",
      "Switch between light and dark",
      () => store.set({ theme: store.state.theme === "dark" ? "light" : "dark" }),
      "wide",
    ),
    button("settings", "Settings", "Settings of names, sizes and appearance", open.settings),
    button("help", "Help", "Help", open.help),
  );
  if (app.panes.length > 1) {
    tools.prepend(
      toggle(
        button(
          "link",
          "Linked",
          "Rotate all globes together",
          () => store.set({ linked: !store.state.linked }),
          "wide",
        ),
        () => store.state.linked,
        ["linked"],
      ),
    );
  }
  bar.append(tools);
  return bar;
}

/** "Globe | Whole map", and a menu of the other projections. */
function projectionChoice(app: App): HTMLElement {
  const { store } = app;
  const choose = (id: ProjectionId, name: string) => {
    const button = h(
      "button",
      {
        type: "button",
        "data-projection": id,
        click: () => {
          store.set({ projection: id });
          app.announce(`Projection: ${name}`);
          close();
        },
      },
      name,
    );
    const update = () => button.setAttribute("aria-pressed", String(store.state.projection === id));
    store.on(["projection"], update);
    update();
    return button;
  };
  const others = sphereProjections.filter((p) => !LEADING.some(([id]) => id === p.id));
  const menu = h(
    "div",
    { class: "menu panel", role: "group", "aria-label": "Other projections", hidden: true },
    ...others.map((p) => choose(p.id, p.name)),
  );
  const more = h(
    "button",
    {
      type: "button",
      class: "more",
      "aria-label": "More projections",
      "aria-expanded": "false",
      click: () => (menu.hidden ? show() : close()),
    },
    h("span", {}, "More"),
    icon("more"),
  );
  const show = () => {
    menu.hidden = false;
    more.setAttribute("aria-expanded", "true");
  };
  const close = () => {
    menu.hidden = true;
    more.setAttribute("aria-expanded", "false");
  };
  const group = h(
    "div",
    { class: "segments", role: "group", "aria-label": "Projection" },
    ...LEADING.map(([id, name]) => choose(id, name)),
    more,
    menu,
  );
  const name = () => {
    const other = others.find((p) => p.id === store.state.projection);
    more.querySelector("span")!.textContent = other?.name ?? "More";
    // The name must contain what is written on the button.
    more.setAttribute("aria-label", other ? `${other.name}: more projections` : "More projections");
    more.classList.toggle("chosen", other !== undefined);
  };
  store.on(["projection"], name);
  name();
  document.addEventListener("pointerdown", (event) => {
    if (!group.contains(event.target as Node)) close();
  });
  group.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || menu.hidden) return;
    event.preventDefault();
    close();
    more.focus();
  });
  return group;
}

export interface SelectionBar {
  element: HTMLElement;
  /** The maps have come to rest: says whether highlighted items are on the far side. */
  rested(): void;
}

/** The mode of the lasso and actions on the selection; visible during a lasso or while items are selected. */
export function selectionBar(
  app: App,
  exportCsv: () => void,
  explain: () => void,
  counted: () => string,
): SelectionBar {
  const { store } = app;
  const words = h("span", { class: "words" });
  const modes = (["replace", "add", "subtract"] as LassoMode[]).map((mode) => {
    const b = h(
      "button",
      { type: "button", "data-mode": mode, click: () => store.set({ lassoMode: mode }) },
      { replace: "New", add: "Add", subtract: "Subtract" }[mode],
    );
    return { mode, b };
  });
  const group = h("div", { class: "segments", role: "group", "aria-label": "Lasso" }, ...modes.map((m) => m.b));
  const what = h("button", { type: "button", title: "What distinguishes them (I)", click: explain }, "What is it?");
  const save = h("button", { type: "button", click: exportCsv }, "Save CSV");
  const clear = h(
    "button",
    {
      type: "button",
      click: () => {
        store.set(unfiltered());
        app.announce("Selection and filters cleared");
      },
    },
    "Clear",
  );
  const far = h("button", {
    type: "button",
    class: "far",
    hidden: true,
    click: () => {
      app.faceStanding();
    },
  });
  const bar = h(
    "div",
    { class: "selection panel", role: "region", "aria-label": "Selection" },
    group,
    words,
    far,
    what,
    save,
    clear,
  );
  const update = () => {
    const { tool, lassoMode } = store.state;
    bar.hidden = tool !== "lasso" && !app.mask;
    group.hidden = tool !== "lasso";
    for (const { mode, b } of modes) b.setAttribute("aria-pressed", String(mode === lassoMode));
    words.textContent = app.mask ? counted() : "Draw around points";
    what.hidden = save.hidden = clear.hidden = !app.mask;
    if (!app.mask) far.hidden = true;
  };
  const rested = () => {
    const counts = app.panes.map((pane) => pane.hidden());
    const worst = counts.reduce((a, b) => (b.far * (a.all || 1) > a.far * (b.all || 1) ? b : a));
    const shown = worst.far > 0.5 * worst.all;
    far.hidden = !shown;
    far.textContent =
      worst.far === worst.all ? "All on the far side: turn" : `${count(worst.far)} on the far side: turn`;
  };
  store.on(["tool", "lassoMode", "color", ...FILTERS], update);
  update();
  return { element: bar, rested };
}
