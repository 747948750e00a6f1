/** Projections and tools. */
import type { App } from "../app.ts";
import { columnNamed } from "../color/coloring.ts";
import { sphereProjections } from "../geometry/projection.ts";
import { zoomAt } from "../interaction.ts";
import type { LabelMode, LassoMode } from "../state.ts";
import { choose, h, type IconName, icon } from "./dom.ts";

export interface Opener {
  table(): void;
  share(): void;
  help(): void;
}

export function toolbar(app: App, open: Opener): HTMLElement {
  const { store, model } = app;
  const bar = h("div", { class: "toolbar", role: "toolbar", "aria-label": "View and tools" });
  const button = (name: IconName, caption: string, act: () => void) =>
    h("button", { type: "button", class: "tool", title: caption, "aria-label": caption, click: act }, icon(name));
  const toggle = (element: HTMLElement, on: () => boolean, keys: Parameters<typeof store.on>[0]) => {
    const update = () => element.setAttribute("aria-pressed", String(on()));
    store.on(keys, update);
    update();
    return element;
  };

  if (model.views.some((v) => v.space === "sphere")) {
    const group = h("div", { class: "segments", role: "group", "aria-label": "Projection" });
    for (const p of sphereProjections) {
      const choice = h(
        "button",
        {
          type: "button",
          "data-projection": p.id,
          click: () => {
            store.set({ projection: p.id });
            app.announce(`Projection: ${p.name}`);
          },
        },
        p.name,
      );
      group.append(toggle(choice, () => store.state.projection === p.id, ["projection"]));
    }
    bar.append(group);
    const narrow = choose(
      "Projection",
      sphereProjections.map((p) => [p.id, p.name] as const),
      store.state.projection,
      (value) => store.set({ projection: value as typeof store.state.projection }),
    );
    narrow.classList.add("narrow");
    narrow.querySelector("select")!.setAttribute("aria-label", "Projection");
    store.on(["projection"], () => (narrow.querySelector("select")!.value = store.state.projection));
    bar.append(narrow);
  }

  const every = (act: (pane: App["panes"][number]) => void) => () => app.panes.forEach(act);
  const middle = (factor: number) => every((pane) => zoomAt(pane, pane.crosshair.x, pane.crosshair.y, factor));
  const tools = h(
    "div",
    { class: "tools" },
    button("plus", "Zoom in", middle(1.5)),
    button("minus", "Zoom out", middle(1 / 1.5)),
    button(
      "north",
      "North up",
      every((pane) => pane.northUp()),
    ),
    toggle(
      button("lasso", "Lasso: draw around points to select them (or hold Shift)", () =>
        store.set({ tool: store.state.tool === "lasso" ? "turn" : "lasso" }),
      ),
      () => store.state.tool === "lasso",
      ["tool"],
    ),
    toggle(
      button("ghost", "Show the far side faintly", () => store.set({ ghost: !store.state.ghost })),
      () => store.state.ghost,
      ["ghost"],
    ),
    button("table", "Table of all items", open.table),
    button("share", "Share and export", open.share),
    button("theme", "Switch between light and dark", () =>
      store.set({ theme: store.state.theme === "dark" ? "light" : "dark" }),
    ),
    button("help", "Help, labels and sizes", open.help),
  );
  if (app.panes.length > 1) {
    tools.prepend(
      toggle(
        button("link", "Rotate all globes together", () => store.set({ linked: !store.state.linked })),
        () => store.state.linked,
        ["linked"],
      ),
    );
  }
  bar.append(tools);
  return bar;
}

/** The mode of the lasso and actions on the selection; visible during a lasso or while items are selected. */
export function selectionBar(app: App, exportCsv: () => void, counted: () => string): HTMLElement {
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
  const save = h("button", { type: "button", click: exportCsv }, "Save CSV");
  const clear = h(
    "button",
    {
      type: "button",
      click: () => {
        store.set({ selection: null, isolated: new Set(), ranges: new Map() });
        app.announce("Selection and filters cleared");
      },
    },
    "Clear",
  );
  const bar = h(
    "div",
    { class: "selection panel", role: "region", "aria-label": "Selection" },
    group,
    words,
    save,
    clear,
  );
  const update = () => {
    const { tool, lassoMode } = store.state;
    bar.hidden = tool !== "lasso" && !app.mask;
    group.hidden = tool !== "lasso";
    for (const { mode, b } of modes) b.setAttribute("aria-pressed", String(mode === lassoMode));
    words.textContent = app.mask ? counted() : "Draw around points";
    save.hidden = clear.hidden = !app.mask;
  };
  store.on(["tool", "lassoMode", "selection", "isolated", "ranges", "color"], update);
  update();
  return bar;
}

/** The settings of labels and sizes. */
export function appearanceChoices(app: App): HTMLElement {
  const { store, model } = app;
  const numbers = [
    ...model.columns.filter((c) => c.type === "number").map((c) => c.name),
    ...(model.degree ? ["degree"] : []),
  ];
  const choices = h(
    "div",
    { class: "choices" },
    choose(
      "Labels",
      [
        ["auto", "automatic"],
        ["items", "items"],
        ["classes", "classes"],
        ["none", "none"],
      ],
      store.state.labels,
      (v) => store.set({ labels: v as LabelMode }),
    ),
    choose(
      "Label text",
      [["", "id"], ...model.columns.map((c) => [c.name, c.name] as const)],
      store.state.label ?? "",
      (v) => store.set({ label: v || null }),
    ),
    choose(
      "Size",
      [["", "the same for all"], ...numbers.filter((n) => columnNamed(model, null, n)).map((n) => [n, n] as const)],
      store.state.size ?? "",
      (v) => store.set({ size: v || null }),
    ),
  );
  if (app.sheet) {
    choices.append(
      choose(
        "Images",
        [
          ["on", "if there is room"],
          ["off", "never"],
        ],
        store.state.sprites ? "on" : "off",
        (v) => store.set({ sprites: v === "on" }),
      ),
    );
  }
  return choices;
}
