// Colors of what is not a grain.

type Rgb = [number, number, number];

export interface Palette {
  background: Rgb;
  line: Rgb;
  edge: Rgb;
  wall: Rgb;
  ring: Rgb;
  none: Rgb;
}

export const PALETTES: Record<"light" | "dark", Palette> = {
  light: {
    background: [0.98, 0.98, 0.975],
    line: [0.45, 0.47, 0.5],
    edge: [0.35, 0.37, 0.4],
    wall: [0.55, 0.6, 0.68],
    ring: [0.93, 0.1, 0.45],
    none: [0.72, 0.72, 0.72],
  },
  dark: {
    background: [0.075, 0.08, 0.095],
    line: [0.5, 0.52, 0.56],
    edge: [0.62, 0.65, 0.7],
    wall: [0.6, 0.66, 0.76],
    ring: [1.0, 0.35, 0.6],
    none: [0.4, 0.4, 0.42],
  },
};
