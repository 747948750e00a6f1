/** The bar that plays a story, and the form that makes one. */
import type { App } from "../app.ts";
import { decode, encode } from "../share/permalink.ts";
import { LONGEST_CAPTION, MOST_STOPS, readingTime } from "../share/story.ts";
import { unfiltered } from "../state.ts";
import { closer, h, icon } from "./dom.ts";

/** A flight between two stops takes longer than one to a neighbour, so that one sees where it goes. */
const FLIGHT = 2200;

/** Shows what a fragment of an address describes; the story stays. */
export function show(app: App, fragment: string, duration?: number): void {
  const { state, cameras } = decode(fragment, app.model);
  const cleared = { ...unfiltered(), focus: -1, ghost: false, arcs: false };
  const { story, theme } = app.store.state;
  app.store.set({ ...cleared, ...state, story: duration === undefined ? (state.story ?? []) : story });
  // The theme is the reader's, not the author's.
  if (duration !== undefined) app.store.set({ theme });
  for (const [i, pane] of app.panes.entries()) if (cameras[i]) pane.fly(cameras[i], duration);
}

export interface StoryBar {
  element: HTMLElement;
  /** Goes to the next stop, or to the one before. */
  step(by: number): void;
}

export function storyBar(app: App): StoryBar {
  const { store } = app;
  let [at, timer]: [number, ReturnType<typeof setTimeout> | null] = [-1, null];
  const caption = h("p", { class: "caption-text", "aria-live": "polite", dir: "auto" });
  const place = h("span", { class: "words" });
  const button = (label: string, text: string | SVGElement, act: () => void) =>
    h("button", { type: "button", class: "plain", "aria-label": label, title: label, click: act }, text);
  const play = button("Play the story", icon("play"), () => (timer === null ? start() : stop()));
  const element = h(
    "section",
    { class: "story panel", "aria-label": "Story" },
    h(
      "div",
      { class: "row" },
      button("Previous stop", "‹", () => step(-1)),
      play,
      button("Next stop", "›", () => step(1)),
      place,
    ),
    caption,
    closer("End the story", () => {
      stop();
      store.set({ story: [] });
    }),
  );
  const draw = () => {
    const { story } = store.state;
    element.hidden = story.length === 0;
    at = Math.min(at, story.length - 1);
    const stops = story.length === 1 ? "1 stop" : `${story.length} stops`;
    place.textContent = at < 0 ? stops : `${at + 1} of ${story.length}`;
    caption.textContent = at < 0 ? "" : (story[at]?.caption ?? "");
    play.replaceChildren(icon(timer === null ? "play" : "pause"));
    play.setAttribute("aria-label", timer === null ? "Play the story" : "Pause the story");
  };
  const go = (to: number) => {
    const stop = store.state.story[to];
    if (!stop) return;
    at = to;
    show(app, stop.view, FLIGHT);
    draw();
  };
  const step = (by: number) => {
    stop();
    go(Math.max(0, Math.min(store.state.story.length - 1, at + by)));
  };
  const stop = () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    draw();
  };
  const next = () => {
    const { story } = store.state;
    if (at + 1 >= story.length) return stop();
    go(at + 1);
    const time = readingTime(story[at]!) + (app.reducedMotion ? 0 : FLIGHT);
    timer = setTimeout(next, time);
    draw();
  };
  const start = () => {
    // At its end, a story begins again.
    if (at + 1 >= store.state.story.length) at = -1;
    next();
  };
  store.on(["story"], draw);
  draw();
  return { element, step };
}

/** A form that adds the current view as a stop, with the list of stops. `changed` is called when the link has changed. */
export function storyForm(app: App, changed: () => void): { element: HTMLElement; open: () => void } {
  const { store } = app;
  const text = h("input", { type: "text", maxlength: LONGEST_CAPTION, "aria-label": "Caption of this view" });
  const list = h("ol", { class: "stops" });
  const fill = () => {
    const { story } = store.state;
    list.replaceChildren(
      ...story.map((stop, place) =>
        h(
          "li",
          { dir: "auto" },
          stop.caption || "Without a caption",
          closer(`Remove stop ${place + 1}`, () => {
            store.set({ story: story.filter((_, other) => other !== place) });
            fill();
            changed();
          }),
        ),
      ),
    );
    add.disabled = story.length >= MOST_STOPS;
  };
  const add = h(
    "button",
    {
      type: "button",
      click: () => {
        const cameras = app.panes.map((pane) => pane.camera);
        const view = encode({ ...store.state, story: [] }, cameras, app.model);
        store.set({ story: [...store.state.story, { caption: text.value.trim(), view }] });
        text.value = "";
        app.announce(`Stop ${store.state.story.length} added`);
        fill();
        changed();
      },
    },
    "Add this view",
  );
  const element = h(
    "div",
    {},
    h("h3", {}, "Story"),
    h("p", { class: "note" }, "Views with captions. They are part of the link, and whoever opens it can play them."),
    h("div", { class: "row" }, text, add),
    list,
  );
  return { element, open: fill };
}
