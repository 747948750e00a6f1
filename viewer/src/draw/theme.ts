/** Colours of everything on the canvas except the points; colours of the panels are in the style sheet. */
export interface Theme {
  dark: boolean;
  page: string;
  /** The sphere from its lightest place to the limb, as stops of a gradient. */
  sphere: readonly (readonly [number, string])[];
  /** The air around it: next to the limb, and where it ends. */
  glow: string;
  glowEnd: string;
  /** The background of images. */
  middle: string;
  outline: string;
  graticule: string;
  ink: string;
  halo: string;
  muted: string;
  /** Edges to neighbours that are also near on the map, and to those that are not. */
  kept: string;
  torn: string;
  /** The colour of the other points while some are highlighted. */
  grey: readonly [number, number, number];
}

export const themes: Readonly<Record<"light" | "dark", Theme>> = {
  dark: {
    dark: true,
    page: "#0b0e14",
    sphere: [
      [0, "#2c3950"],
      [0.45, "#212b3d"],
      [0.8, "#18202e"],
      [1, "#111722"],
    ],
    glow: "rgba(122,162,224,0.22)",
    glowEnd: "rgba(122,162,224,0)",
    middle: "#1f2838",
    outline: "rgba(150,180,225,0.45)",
    graticule: "rgba(160,185,220,0.14)",
    ink: "#eef1f5",
    halo: "rgba(13,18,28,0.86)",
    muted: "#9aa4b2",
    kept: "rgba(125,211,252,0.85)",
    torn: "rgba(251,146,60,0.9)",
    grey: [82, 90, 102],
  },
  light: {
    dark: false,
    page: "#fbfbf9",
    sphere: [
      [0, "#ffffff"],
      [0.45, "#f3f7fb"],
      [0.8, "#dfe8f1"],
      [1, "#c3d1df"],
    ],
    glow: "rgba(70,105,145,0.13)",
    glowEnd: "rgba(70,105,145,0)",
    middle: "#fbfdff",
    outline: "rgba(60,90,125,0.50)",
    graticule: "rgba(60,90,125,0.15)",
    ink: "#16191f",
    halo: "rgba(255,255,255,0.92)",
    muted: "#59626f",
    kept: "rgba(2,100,160,0.75)",
    torn: "rgba(194,65,12,0.85)",
    grey: [190, 196, 205],
  },
};
