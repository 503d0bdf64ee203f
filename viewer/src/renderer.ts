// One picture: what is opaque first, then what is clear.

import type { Camera } from "./camera.ts";
import type { Coloring } from "./coloring.ts";
import { CONTACT_UNIT, GRAIN_UNIT } from "./coloring.ts";
import { cutPlane, seenPlane } from "./cut.ts";
import { Contacts } from "./draw/contacts.ts";
import type { Look } from "./draw/look.ts";
import { Polygons } from "./draw/polygons.ts";
import { Spheres } from "./draw/spheres.ts";
import { Surfaces } from "./draw/surfaces.ts";
import type { GL } from "./gl.ts";
import { MAP_SIZE, contactColors, mapColors, reversed } from "./maps.ts";
import { unit } from "./math.ts";
import type { BoxMeta, Vec3 } from "./page.ts";
import { shownSizes, sizeRange } from "./sizes.ts";
import type { Contacts as ContactData, Frame, Scene } from "./scene.ts";
import type { Settings } from "./settings.ts";
import { PALETTES } from "./theme.ts";

const LIGHT = unit([-0.45, 0.6, 0.9]);

/** Half of the thickest rod over the median radius. */
const ROD = 0.32;

/** How far grains fade under contacts. */
const FADE = { flat: 0.72, solid: 0.3 };

export class Renderer {
  private readonly spheres: Spheres;
  private readonly polygons: Polygons;
  private readonly contacts: Contacts;
  private readonly chosen: Contacts;
  private readonly walls: Surfaces;
  private readonly edges: Surfaces;
  private readonly box: Surfaces;
  private mapKey = "";
  private boxCache: { meta: BoxMeta; lines: Float32Array } | null = null;
  private ownContacts: { of: ContactData; selected: number; data: ContactData } | null = null;

  constructor(
    private readonly gl: GL,
    private readonly scene: Scene,
    private readonly coloring: Coloring,
  ) {
    this.spheres = new Spheres(gl);
    this.polygons = new Polygons(gl);
    [this.contacts, this.chosen] = [new Contacts(gl), new Contacts(gl)];
    [this.walls, this.edges, this.box] = [new Surfaces(gl), new Surfaces(gl), new Surfaces(gl)];
    for (const unit of [GRAIN_UNIT, CONTACT_UNIT]) {
      gl.activeTexture(gl.TEXTURE0 + unit);
      gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    }
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LEQUAL);
  }

  draw(settings: Settings, camera: Camera): void {
    const { gl, scene } = this;
    const palette = PALETTES[settings.isDark ? "dark" : "light"];
    const [r, g, b] = palette.background;
    gl.viewport(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight);
    gl.clearColor(r, g, b, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    const frame = scene.frames[settings.frame];
    if (frame === undefined) return;
    const key = `${settings.map} ${settings.isReversed} ${settings.isDark}`;
    if (key !== this.mapKey) {
      const colors = mapColors(settings.map);
      this.sendMap(GRAIN_UNIT, settings.isReversed ? reversed(colors) : colors);
      this.sendMap(CONTACT_UNIT, contactColors(settings.isDark));
      this.mapKey = key;
    }
    const look = this.look(settings, camera);
    if (settings.showsGrains) this.drawGrains(frame, settings, look);
    this.drawContacts(frame, settings, look);
    if (settings.showsBox && frame.meta.box !== null) {
      const paint = { color: palette.line, opacity: 1, isShaded: false, isCut: false, lift: 0 };
      this.box.lines(this.boxLines(frame.meta.box), paint, look);
    }
    if (settings.showsWalls && frame.walls !== null) {
      const opacity = scene.isFlat ? 1 : 0.2;
      const paint = { color: palette.wall, opacity, isShaded: !scene.isFlat, isCut: true, lift: scene.isFlat ? 0.01 : 0 };
      this.edges.lines(frame.walls.edges, { ...paint, color: palette.edge, opacity: scene.isFlat ? 1 : 0.5, isShaded: false }, look);
      this.walls.triangles(frame.walls.triangles, paint, look);
    }
  }

  private drawGrains(frame: Frame, settings: Settings, look: Look): void {
    const values = this.coloring.values(settings, frame);
    if (frame.polygons !== null) this.polygons.draw(frame, frame.polygons, values, look);
    else this.spheres.draw(frame, values, look);
  }

  private drawContacts(frame: Frame, settings: Settings, look: Look): void {
    const contacts = frame.contacts;
    if (contacts === null) return;
    const range = this.coloring.contacts();
    const width = ROD * medianRadius(frame);
    if (settings.showsContacts) this.contacts.draw(contacts, range, width, look);
    else if (settings.selected >= 0 && settings.grainScale < 1) {
      if (this.ownContacts?.of !== contacts || this.ownContacts.selected !== settings.selected) {
        this.ownContacts = { of: contacts, selected: settings.selected, data: contactsOf(contacts, settings.selected) };
      }
      this.chosen.draw(this.ownContacts.data, range, width, look);
    }
  }

  private look(settings: Settings, camera: Camera): Look {
    const { gl, scene } = this;
    const palette = PALETTES[settings.isDark ? "dark" : "light"];
    return {
      view: camera.view(),
      projection: camera.projection(),
      isPerspective: camera.isPerspective,
      isFlat: scene.isFlat,
      pixel: camera.isPerspective ? camera.pixel / camera.distance : camera.pixel,
      resolution: [gl.drawingBufferWidth, gl.drawingBufferHeight],
      grainScale: settings.grainScale,
      largestInPixels: camera.largestInPixels(sizeRange(scene)[1] * settings.grainScale),
      fade: [...palette.background, settings.showsContacts ? FADE[scene.isFlat ? "flat" : "solid"] : 0],
      sizes: shownSizes(settings, scene),
      selected: settings.selected,
      cut: seenPlane(cutPlane(settings, scene, camera), camera),
      light: LIGHT,
      ring: palette.ring,
      none: palette.none,
      range: this.coloring.grains(settings),
    };
  }

  private sendMap(unit: number, colors: Uint8Array): void {
    const { gl } = this;
    gl.activeTexture(gl.TEXTURE0 + unit);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, MAP_SIZE, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, colors);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
  }

  /** The edges of the box, however it is sheared. */
  private boxLines(meta: BoxMeta): Float32Array {
    if (this.boxCache?.meta === meta) return this.boxCache.lines;
    const lines: number[] = [];
    const corners = 1 << meta.edges.length;
    const corner = (bits: number): Vec3 => {
      const point = [...meta.origin];
      meta.edges.forEach((edge, k) => {
        if ((bits >> k) & 1) edge.forEach((x, axis) => (point[axis] += x));
      });
      return this.scene.toScene(point);
    };
    for (let bits = 0; bits < corners; bits++) {
      for (let k = 0; k < meta.edges.length; k++) if (!((bits >> k) & 1)) lines.push(...corner(bits), ...corner(bits | (1 << k)));
    }
    this.boxCache = { meta, lines: new Float32Array(lines) };
    return this.boxCache.lines;
  }
}

/** The contacts of one grain. */
function contactsOf(all: ContactData, grain: number): ContactData {
  const own: number[] = [];
  for (let k = 0; k < all.first.length; k++) if (all.first[k] === grain || all.second[k] === grain) own.push(k);
  return {
    first: Uint32Array.from(own, (k) => all.first[k]),
    second: Uint32Array.from(own, (k) => all.second[k]),
    ends: Float32Array.from(own.flatMap((k) => [...all.ends.subarray(6 * k, 6 * k + 6)])),
    values: Float32Array.from(own, (k) => all.values[k]),
  };
}

const medians = new WeakMap<Float32Array, number>();

/** About the median: of a thousand grains, evenly taken. */
function medianRadius(frame: Frame): number {
  let median = medians.get(frame.radii);
  if (median === undefined) {
    const step = Math.max(1, Math.floor(frame.count / 1000));
    const some = frame.radii.filter((_, k) => k % step === 0).sort();
    medians.set(frame.radii, (median = some[some.length >> 1] ?? 0));
  }
  return median;
}
