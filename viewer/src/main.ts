/** Reads the data of the page, builds its parts and connects them. */
import "./style.css";
import { App } from "./app.ts";
import { countOf } from "./ask/standing.ts";
import { colorable } from "./color/coloring.ts";
import { type Model, readModel } from "./data/model.ts";
import { interact } from "./interaction.ts";
import { freePart, type Rect, touches } from "./layout.ts";
import { Pane } from "./pane.ts";
import { card, details } from "./panel/details.ts";
import { count, h, icon } from "./panel/dom.ts";
import { header } from "./panel/header.ts";
import { help } from "./panel/help.ts";
import { legend } from "./panel/legend.ts";
import { measures } from "./panel/measures.ts";
import { scrubber } from "./panel/scrubber.ts";
import { link, saveCsv, share } from "./panel/share.ts";
import { table } from "./panel/table.ts";
import { selectionBar, toolbar } from "./panel/toolbar.ts";
import { decode } from "./share/permalink.ts";
import { Store } from "./state.ts";

declare global {
  interface Window {
    /** For scripts and tests: the app object of the page. */
    dosnes?: { app: App; link: () => string };
  }
}

function firstColor(model: Model): string | null {
  const names = colorable(model);
  const { color } = model;
  if (color && names.includes(color)) return color;
  return names.find((name) => model.columns.some((c) => c.name === name && c.type === "text")) ?? names[0] ?? null;
}

function start(model: Model, root: HTMLElement): void {
  const darkSystem = matchMedia("(prefers-color-scheme: dark)").matches;
  const linked = decode(location.hash, model.count);
  const store = new Store({
    theme: darkSystem ? "dark" : "light",
    projection: "globe",
    color: firstColor(model),
    size: model.degree ? "degree" : null,
    label: null,
    ramp: "viridis",
    labels: "auto",
    ghost: false,
    sprites: true,
    tool: "turn",
    lassoMode: "replace",
    isolated: new Set(),
    ranges: new Map(),
    selection: null,
    focus: -1,
    hover: -1,
    time: Math.max(...model.views.map((v) => v.snapshots.length)),
    linked: true,
    ...linked.state,
  });
  const live = h("div", { class: "unseen", role: "status", "aria-live": "polite" });
  const app = new App(model, store, (text) => (live.textContent = text));

  const stage = h("main", { class: "stage", "aria-label": "Map" });
  const remember = later(() => {
    try {
      history.replaceState(null, "", link(app));
    } catch {
      // Some browsers do not allow this for files. The share panel still has the link.
    }
  }, 400);
  let following = false;
  const moved = (pane: Pane) => {
    if (pane.sphere && store.state.linked && !following && app.panes.length > 1) {
      following = true;
      for (const other of app.panes) {
        if (other === pane || !other.sphere) continue;
        other.setMotion(null);
        Object.assign(other.camera, pane.camera);
        other.moveNow();
      }
      following = false;
    }
    remember();
  };
  model.views.forEach((view, i) => {
    const pane = new Pane(app, view, moved);
    if (view.space === "sphere") pane.camera.orientation = app.bestSide(model.views[0]!);
    if (linked.cameras[i]) Object.assign(pane.camera, linked.cameras[i]);
    pane.top.tabIndex = 0;
    pane.top.setAttribute("role", "application");
    pane.top.setAttribute(
      "aria-label",
      `${view.name}: map of ${count(model.count)} ${model.noun}. Arrow keys turn, plus and minus zoom, Enter selects the item in the middle. The table has all items as text.`,
    );
    if (model.views.length > 1) pane.element.append(h("h2", { class: "pane-name" }, view.name));
    stage.append(pane.element);
    app.panes.push(pane);
    interact(pane);
  });
  if (app.panes[0]!.withoutGl) {
    stage.append(
      h("p", { class: "without-gl", role: "note" }, "This browser has no WebGL 2, so drawing points is slower."),
    );
  }

  const tableDialog = table(app);
  const shareDialog = share(app, stage);
  const helpDialog = help(app);
  const bar = toolbar(app, { table: tableDialog.open, share: shareDialog.open, help: helpDialog.open });
  const time = scrubber(app);
  const head = header(app);
  const measured = model.measures && measures(model.measures);
  if (measured) head.querySelector(".facts")!.append(" · ", measured.button);
  const key = legend(app);
  const keyButton = h(
    "button",
    {
      type: "button",
      class: "tool legend-button",
      "aria-label": "Colours and filters",
      "aria-controls": "legend",
      "aria-expanded": "false",
      click: () => keyButton.setAttribute("aria-expanded", String(key.classList.toggle("open"))),
    },
    icon("legend"),
  );
  const about = details(app);
  const counted = () => `${count(countOf(app.mask))} of ${count(model.count)}`;
  root.append(
    head,
    stage,
    key,
    keyButton,
    about,
    h(
      "footer",
      { class: "foot" },
      selectionBar(app, () => saveCsv(app), counted),
      ...(time ? [time] : []),
      bar,
    ),
    card(app, stage),
    live,
    tableDialog.dialog,
    shareDialog.dialog,
    helpDialog.dialog,
    ...(measured ? [measured.dialog] : []),
  );

  const foot = bar.parentElement!;
  /** Rectangles of the elements above a pane, in pixels of the pane. */
  const over = (pane: Pane, panels: readonly Element[]): Rect[] => {
    const box = pane.element.getBoundingClientRect();
    return panels
      .map((e) => e.getBoundingClientRect())
      .filter((r) => r.width > 0)
      .map((r) => ({ x: r.x - box.x, y: r.y - box.y, width: r.width, height: r.height }));
  };
  const arrange = () => {
    // A long title has two lines and moves the elements below it.
    root.style.setProperty("--below-head", `${Math.round(head.getBoundingClientRect().bottom + 12)}px`);
    for (const pane of app.panes) {
      const { width, height } = pane.element.getBoundingClientRect();
      const names = pane.element.querySelectorAll(".pane-name");
      const fixed = over(pane, [head, ...names, ...foot.children, ...(key.classList.contains("open") ? [] : [key])]);
      pane.free = freePart(pane.projectionFor(), width, height, fixed);
      pane.blocked = over(pane, [head, ...foot.children, key, about]);
      pane.resize(width, height);
    }
  };
  const dress = () => (document.documentElement.dataset.theme = store.state.theme);
  dress();
  store.on(["theme"], dress);
  store.on(["tool"], () => stage.classList.toggle("lasso", store.state.tool === "lasso"));
  store.on(["projection", "color"], arrange);
  // The details are placed next to the maps if they would cover much of them: on narrow screens, and always with several
  // maps.
  const several = app.panes.length > 1;
  const makeRoom = () => {
    const covers = (pane: Pane) => over(pane, [about]).some((panel) => touches(pane.projectionFor(), pane.free, panel));
    const beside = several || stage.classList.contains("beside") || app.panes.some(covers);
    stage.classList.toggle("beside", store.state.focus >= 0 && beside);
  };
  makeRoom();
  store.on(["focus"], () => {
    makeRoom();
    for (const pane of app.panes) pane.blocked = over(pane, [head, ...foot.children, key, about]);
  });
  store.on(
    [
      "theme",
      "projection",
      "color",
      "size",
      "label",
      "labels",
      "ramp",
      "ghost",
      "isolated",
      "ranges",
      "selection",
      "focus",
      "linked",
    ],
    remember,
  );
  const sizes = new ResizeObserver(arrange);
  sizes.observe(stage);
  sizes.observe(head);
  arrange();
  addEventListener("hashchange", () => {
    const { state, cameras } = decode(location.hash, model.count);
    store.set({ focus: -1, selection: null, isolated: new Set(), ranges: new Map(), ghost: false, ...state });
    for (const [i, pane] of app.panes.entries()) if (cameras[i]) pane.fly(cameras[i]);
  });
  // After the first frame, when the browser is idle.
  setTimeout(() => {
    model.ids.prepare();
    for (const column of model.columns) if (column.type === "text") column.texts.prepare();
  }, 1500);
  window.dosnes = { app, link: () => link(app) };
}

/** Debounces: calls `act` once, some time after the last call. */
function later(act: () => void, wait: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(act, wait);
  };
}

const root = document.getElementById("app")!;
readModel().then(
  (model) => start(model, root),
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
