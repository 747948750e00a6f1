/** Pointer, touch, wheel and keyboard on a pane. */
import type { App } from "./app.ts";
import { combine, within } from "./ask/lasso.ts";
import { countOf } from "./ask/standing.ts";
import type { Frame } from "./geometry/frame.ts";
import { sphereProjections } from "./geometry/projection.ts";
import { dragged } from "./geometry/trackball.ts";
import { axisAngle, conjugate, multiply, normalize, type Quaternion, turn, type Vector } from "./geometry/vector.ts";
import { inertia } from "./pane/motion.ts";
import type { Pane } from "./pane/pane.ts";
import { type LassoMode, unfiltered } from "./state.ts";

const CLICK_REACH = 4;
const MOST_ZOOM = 400;

/** A drag in progress, with its initial state. */
interface Drag {
  start: Quaternion;
  from: Vector;
  frame: Frame;
  panX: number;
  panY: number;
  x: number;
  y: number;
  moved: boolean;
  /** The last orientations with the times of their events, for inertia: a slow frame must not look like a cursor at rest. */
  trail: { time: number; orientation: Quaternion }[];
}

interface Pinch {
  start: Quaternion;
  from: Vector;
  zoom: number;
  distance: number;
  angle: number;
}

export function interact(app: App, pane: Pane): void {
  const { camera, top: surface } = pane;
  const { store } = app;
  const pointers = new Map<number, { x: number; y: number }>();
  let drag: Drag | null = null;
  let pinch: Pinch | null = null;
  let lassoing = false;
  let lastTap = { time: -Infinity, x: 0, y: 0 };
  /** Whether the focus comes from a pointer. Then the frame and the crosshair of the keyboard stay away. */
  let pointing = false;

  const at = (event: MouseEvent) => {
    const box = surface.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };

  const beginDrag = (x: number, y: number) => {
    const frame = pane.frame();
    drag = {
      start: camera.orientation,
      from: frame.direction(x, y),
      frame,
      panX: camera.panX,
      panY: camera.panY,
      x,
      y,
      moved: false,
      trail: [],
    };
  };

  const moveDrag = (x: number, y: number, time: number) => {
    if (!drag) return;
    if (!drag.moved && Math.hypot(x - drag.x, y - drag.y) < CLICK_REACH) return;
    drag.moved = true;
    store.set({ hover: -1 });
    if (pane.view.space === "plane") {
      camera.panX = drag.panX - (x - drag.x) / drag.frame.scale;
      camera.panY = drag.panY + (y - drag.y) / drag.frame.scale;
    } else {
      camera.orientation = dragged(drag.start, drag.from, drag.frame.direction(x, y));
      drag.trail.push({ time, orientation: camera.orientation });
      if (drag.trail.length > 6) drag.trail.shift();
    }
    pane.moveNow();
  };

  const release = (d: Drag, released: number) => {
    const [first, last] = [d.trail[0], d.trail.at(-1)];
    if (!first || !last || app.reducedMotion) return;
    const time = last.time - first.time;
    // No inertia if the cursor rested before it was released.
    if (time < 8 || released - last.time > 50) return;
    const way = multiply(last.orientation, conjugate(first.orientation));
    const speed = Math.min(0.01, turn(way) / time);
    if (speed < 2e-4) return;
    const sign = way[3] < 0 ? -1 : 1;
    pane.setMotion(
      inertia(camera.orientation, [sign * way[0], sign * way[1], sign * way[2]], speed, performance.now()),
    );
  };

  const pair = () => {
    const [a, b] = [...pointers.values()];
    if (!a || !b) return null;
    return {
      x: (a.x + b.x) / 2,
      y: (a.y + b.y) / 2,
      distance: Math.hypot(b.x - a.x, b.y - a.y),
      angle: Math.atan2(b.y - a.y, b.x - a.x),
    };
  };

  const beginPinch = () => {
    const p = pair();
    if (!p) return;
    drag = null;
    pinch = {
      start: camera.orientation,
      from: pane.frame().direction(p.x, p.y),
      zoom: camera.zoom,
      distance: p.distance,
      angle: p.angle,
    };
  };

  const movePinch = () => {
    const p = pair();
    if (!p || !pinch) return;
    if (pane.view.space === "plane") {
      zoomAt(pane, p.x, p.y, (pinch.zoom * p.distance) / pinch.distance / camera.zoom);
      return;
    }
    camera.zoom = clampZoom((pinch.zoom * p.distance) / pinch.distance);
    const to = pane.frame().direction(p.x, p.y);
    // The y axis of the screen points down, so a clockwise rotation of the fingers is negative around the axis of the view.
    const twist = axisAngle(to, -(p.angle - pinch.angle));
    camera.orientation = normalize(multiply(twist, dragged(pinch.start, pinch.from, to)));
    pane.moveNow();
  };

  const finishLasso = (event: PointerEvent) => {
    const line = pane.lasso;
    pane.lasso = [];
    if (line.length < 3) return pane.redrawTop();
    const mode: LassoMode = event.shiftKey ? "add" : event.altKey ? "subtract" : store.state.lassoMode;
    selectWithin(app, pane, line, mode);
  };

  surface.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    surface.setPointerCapture(event.pointerId);
    pointing = true;
    surface.focus({ preventScroll: true });
    pointing = false;
    pane.setKeyed(false);
    const p = at(event);
    pointers.set(event.pointerId, p);
    pane.setMotion(null);
    if (pointers.size === 2) {
      lassoing = false;
      pane.lasso = [];
      return beginPinch();
    }
    if (store.state.tool === "lasso" || event.shiftKey) {
      lassoing = true;
      store.set({ hover: -1 });
      pane.lasso = [[p.x, p.y]];
    } else beginDrag(p.x, p.y);
  });

  surface.addEventListener("pointermove", (event) => {
    const p = at(event);
    if (!pointers.has(event.pointerId)) {
      // While the map moves by itself, what is under the cursor now is elsewhere in the next frame.
      if (event.pointerType !== "touch") store.set({ hover: pane.flying ? -1 : pane.pick(p.x, p.y) });
      return;
    }
    pointers.set(event.pointerId, p);
    if (pinch && pointers.size >= 2) return movePinch();
    if (lassoing) {
      const last = pane.lasso.at(-1)!;
      if (Math.hypot(p.x - last[0], p.y - last[1]) > 2) pane.lasso.push([p.x, p.y]);
      return pane.redrawTop();
    }
    moveDrag(p.x, p.y, event.timeStamp);
  });

  const up = (event: PointerEvent) => {
    if (!pointers.delete(event.pointerId)) return;
    const p = at(event);
    if (pinch) {
      pinch = null;
      const rest = [...pointers.values()][0];
      if (rest) {
        beginDrag(rest.x, rest.y);
        drag!.moved = true;
      }
      return;
    }
    if (lassoing) {
      lassoing = false;
      if (pane.lasso.length > 3) return finishLasso(event);
      pane.lasso = [];
    }
    const was = drag;
    drag = null;
    if (was?.moved) return release(was, event.timeStamp);
    if (event.type === "pointercancel") return;
    const now = performance.now();
    const double = now - lastTap.time < 350 && Math.hypot(p.x - lastTap.x, p.y - lastTap.y) < 24;
    lastTap = { time: double ? -Infinity : now, ...p };
    if (double) {
      const place = pane.frame().unproject(p.x, p.y);
      if (place) pane.flyTo(place);
      return;
    }
    // A finger is less precise than a cursor.
    const item = pane.pick(p.x, p.y, event.pointerType === "touch" ? 22 : 10);
    store.set({ focus: item, hover: event.pointerType === "touch" ? -1 : item });
    if (item < 0 && store.state.selection && store.state.tool === "lasso") store.set({ selection: null });
  };
  surface.addEventListener("pointerup", up);
  surface.addEventListener("pointercancel", up);
  surface.addEventListener("pointerleave", () => store.set({ hover: -1 }));
  surface.addEventListener("contextmenu", (event) => event.preventDefault());

  surface.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      pane.setMotion(null);
      const p = at(event);
      const lines = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
      zoomAt(pane, p.x, p.y, Math.exp(-event.deltaY * lines * (event.ctrlKey ? 0.01 : 0.0016)));
    },
    { passive: false },
  );

  surface.addEventListener("focus", () => pane.setKeyed(!pointing));
  surface.addEventListener("blur", () => pane.setKeyed(false));
}

/** Elements that use letters, or arrows and Enter, themselves. */
const WRITING = "input, select, textarea, [contenteditable]";
const PRESSING = "button, a, summary, [tabindex]:not(canvas)";

/** Shortcuts act on the map that has the focus or was used last, wherever the focus is now. */
export function listen(app: App, more: Readonly<Record<string, () => void>>): void {
  let last = app.panes[0]!;
  for (const pane of app.panes)
    for (const event of ["focus", "pointerdown"]) pane.top.addEventListener(event, () => (last = pane));
  document.addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (target.matches(WRITING) || document.querySelector("dialog[open]")) return;
    if ((event.key === "Enter" || event.key === " ") && target.matches(PRESSING)) return;
    const act = more[event.key] ?? keys(app, last)[event.key];
    if (!act) return;
    event.preventDefault();
    if (target === last.top) last.setKeyed(true);
    act(event.shiftKey);
  });
}

const clampZoom = (zoom: number) => Math.max(0.5, Math.min(MOST_ZOOM, zoom));

/** Zooms so that the position under the pixel stays there. */
export function zoomAt(pane: Pane, x: number, y: number, factor: number): void {
  const { camera } = pane;
  const before = pane.frame();
  const from = before.direction(x, y);
  const inside = before.unproject(x, y) !== null;
  const [worldX, worldY] = [(x - before.centerX) / before.scale, (before.centerY - y) / before.scale];
  camera.zoom = clampZoom(camera.zoom * factor);
  const after = pane.frame();
  if (pane.view.space === "plane") {
    camera.panX += worldX - (x - after.centerX) / after.scale;
    camera.panY += worldY - (after.centerY - y) / after.scale;
  } else if (inside && pane.sphere) {
    camera.orientation = dragged(camera.orientation, from, after.direction(x, y));
  }
  pane.moveNow();
}

/** Selects the items inside a line on the screen, and announces the result. */
export function selectWithin(
  app: App,
  pane: Pane,
  line: readonly (readonly [number, number])[],
  mode: LassoMode,
): void {
  const lassoed = within(pane.frame(), pane.positions, line);
  const selection = combine(app.store.state.selection, lassoed, mode);
  app.store.set({ selection });
  app.announce(
    selection ? `${countOf(selection).toLocaleString("en-US")} ${app.model.noun} selected` : "Selection is empty",
  );
  pane.redrawTop();
}

function circle(pane: Pane): [number, number][] {
  const { x, y, radius } = pane.crosshair;
  return Array.from({ length: 48 }, (_, k) => {
    const a = (k / 48) * 2 * Math.PI;
    return [x + radius * Math.cos(a), y + radius * Math.sin(a)];
  });
}

/** Keyboard commands while a pane has the focus; the help lists them. */
function keys(app: App, pane: Pane): Record<string, (shift: boolean) => void> {
  const { camera } = pane;
  const { store } = app;
  const step = (axis: Vector, sign: number) => (shift: boolean) => {
    const amount = ((shift ? 2 : 10) * Math.PI) / 180 / Math.max(1, camera.zoom);
    if (pane.view.space === "plane") {
      pane.fly({ panX: camera.panX + axis[1] * sign * -amount, panY: camera.panY + axis[0] * sign * amount }, 120);
    } else pane.fly({ orientation: normalize(multiply(axisAngle(axis, sign * amount), camera.orientation)) }, 120);
  };
  const zoom = (factor: number) => () => {
    pane.fly({ zoom: clampZoom(camera.zoom * factor) }, 160);
  };
  const select = (mode: LassoMode) => () => selectWithin(app, pane, circle(pane), mode);
  return {
    ArrowLeft: step([0, 1, 0], 1),
    ArrowRight: step([0, 1, 0], -1),
    ArrowUp: step([1, 0, 0], 1),
    ArrowDown: step([1, 0, 0], -1),
    "+": zoom(1.4),
    "=": zoom(1.4),
    "-": zoom(1 / 1.4),
    "0": () => pane.fly({ zoom: 1, panX: 0, panY: 0 }),
    n: () => pane.northUp(),
    p: (shift) => {
      const place = sphereProjections.findIndex((p) => p.id === store.state.projection);
      const next = sphereProjections[(place + (shift ? sphereProjections.length - 1 : 1)) % sphereProjections.length]!;
      store.set({ projection: next.id });
      app.announce(`Projection: ${next.name}`);
    },
    h: () => {
      const { x, y, radius } = pane.crosshair;
      const item = store.state.focus >= 0 ? store.state.focus : pane.pick(x, y, radius);
      if (item >= 0 && pane.sphere) app.centreOn(item);
    },
    e: () => app.model.neighbors && store.set({ arcs: !store.state.arcs }),
    g: () => store.set({ ghost: !store.state.ghost }),
    l: () => store.set({ tool: store.state.tool === "lasso" ? "turn" : "lasso" }),
    s: select("add"),
    x: select("subtract"),
    Enter: () => {
      const { x, y, radius } = pane.crosshair;
      const item = pane.pick(x, y, radius);
      store.set({ focus: item });
      if (item < 0) app.announce("No item near the centre");
    },
    Escape: () => store.set({ focus: -1, ...unfiltered() }),
  };
}
