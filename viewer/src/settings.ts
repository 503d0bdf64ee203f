// What the user has chosen.

import type { MapName } from "./maps.ts";

export type CutAxis = "none" | "x" | "y" | "z" | "view";

export interface Settings {
  frame: number;
  column: string;
  map: MapName;
  isReversed: boolean;
  isLogarithmic: boolean;
  /** Ends of the colors in the column's unit; of all frames where nothing is given. */
  lo: number | null;
  hi: number | null;
  grainScale: number;
  /** Shares of the range of radii, by logarithm, that are shown. */
  smallest: number;
  largest: number;
  cutAxis: CutAxis;
  /** Place of the cut as a share of the scene's length along the axis. */
  cutPlace: number;
  isCutFlipped: boolean;
  showsGrains: boolean;
  showsContacts: boolean;
  showsWalls: boolean;
  showsBox: boolean;
  selected: number;
  isDark: boolean;
  isPlaying: boolean;
  framesPerSecond: number;
}

/** The settings, and who hears of changes. */
export class Store {
  private readonly listeners: ((changed: Set<keyof Settings>) => void)[] = [];

  constructor(private readonly values: Settings) {}

  get now(): Readonly<Settings> {
    return this.values;
  }

  set(change: Partial<Settings>): void {
    const keys = (Object.keys(change) as (keyof Settings)[]).filter((key) => change[key] !== this.values[key]);
    if (keys.length === 0) return;
    Object.assign(this.values, change);
    const changed = new Set(keys);
    for (const listener of this.listeners) listener(changed);
  }

  listen(listener: (changed: Set<keyof Settings>) => void): void {
    this.listeners.push(listener);
  }
}
