/** Colours of everything on the canvas except the points; colours of the panels are in the style sheet. */
export interface Theme {
  dark: boolean;
  page: string;
  /** The sphere from its lightest place to the limb, as stops of a gradient. */
  sphere: readonly (readonly [number, string])[];
  /** The air around it: next to the limb, and where it ends. */
  glow: string;
  glowEnd: string;
  /** The land under dense points: coasts, ground, and how much of the points' colours it has. */
  land: { ink: readonly [number, number, number]; paper: readonly [number, number, number]; tint: number };
  /** The borders between classes, and what is beside their lines. */
  border: string;
  borderEdge: string;
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
    land: { ink: [215, 228, 250], paper: [66, 78, 100], tint: 0.3 },
    border: "rgba(228,236,250,0.75)",
    borderEdge: "rgba(13,18,28,0.55)",
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
      [0, "#f4f8fc"],
      [0.45, "#e6eff7"],
      [0.8, "#d2e0ed"],
      [1, "#b4c8db"],
    ],
    glow: "rgba(70,105,145,0.13)",
    glowEnd: "rgba(70,105,145,0)",
    land: { ink: [70, 80, 95], paper: [255, 252, 243], tint: 0.3 },
    border: "rgba(48,58,74,0.75)",
    borderEdge: "rgba(255,255,255,0.7)",
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
