// What a page holds, as `crates/multigrain-files/src/view` writes it.

export type Vec3 = [number, number, number];

/** How the numbers of an array are written; all of them as planes of bytes, the lowest byte first. */
export type Encoding = "fixed" | "float" | "index" | "byte";

export interface ArrayMeta {
  name: string;
  /** The array of this name of the frame before, unchanged; then nothing else is given. */
  same?: boolean;
  encoding?: Encoding;
  /** Tuples, and numbers in each. */
  length?: number;
  components?: number;
  /** Of fixed point numbers: bytes of each, lowest value and step by component, and whether they are differences to the frame before. */
  bytes?: number;
  lo?: number[];
  step?: number[];
  delta?: boolean;
}

export interface BoxMeta {
  origin: Vec3;
  /** One edge for each axis; in the plane two. */
  edges: Vec3[];
  periodic: boolean[];
}

export interface FrameMeta {
  label: string;
  time: number | null;
  step: number | null;
  particles: number;
  contacts: number;
  box: BoxMeta | null;
  arrays: ArrayMeta[];
}

export interface TableMeta {
  names: string[];
  /** Values by column. */
  columns: number[][];
}

/** How the page opens, where its maker has said so. */
export interface StartMeta {
  column: string | null;
  cut: "x" | "y" | "z" | null;
  contacts: boolean | null;
  plays: boolean;
}

export interface PageMeta {
  version: number;
  program: string;
  title: string;
  dimension: 2 | 3;
  shape: "round" | "polygon";
  /** What was left out, and why. */
  notes: string[];
  /** What the number of a contact is: overlap or force. */
  contact_value: string;
  lo: Vec3;
  hi: Vec3;
  table: TableMeta | null;
  start?: StartMeta;
  frames: FrameMeta[];
}

/** The page's own description of itself. */
export function readMeta(document: Document): PageMeta {
  const meta = JSON.parse(document.getElementById("meta")?.textContent ?? "null") as PageMeta | null;
  if (meta === null || meta.version !== 1) throw new Error("this page has no data that its program understands");
  return meta;
}

/** The text of a frame's data, taken out of the document: it is needed once. */
export function takeChunk(document: Document, frame: number): string {
  const element = document.getElementById(`frame-${frame}`);
  if (element === null) throw new Error(`the data of frame ${frame} are missing`);
  const text = element.textContent ?? "";
  element.remove();
  return text;
}
