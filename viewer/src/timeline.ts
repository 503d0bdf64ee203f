// The slider of time.

import { button, choice, make, slider } from "./dom.ts";
import { short, whole } from "./format.ts";
import type { Scene } from "./scene.ts";
import type { Store } from "./settings.ts";

const SPEEDS = ["1", "2", "5", "10", "20", "30", "60"];

export class Timeline {
  readonly element: HTMLElement;
  private readonly play: HTMLButtonElement;
  private readonly at: HTMLInputElement;
  private readonly label = make("output");
  private readonly speed: HTMLSelectElement;
  private due = 0;

  constructor(
    private readonly store: Store,
    private readonly scene: Scene,
  ) {
    this.play = button("▶", "Play or pause (space)", () => store.set({ isPlaying: !store.now.isPlaying }));
    this.play.id = "play";
    // Who drags the slider wants to look: the film stops.
    this.at = slider(0, 0, 1, (frame) => store.set({ frame, isPlaying: false }));
    this.at.id = "time";
    this.at.setAttribute("aria-label", "time");
    this.speed = choice(SPEEDS, (speed) => store.set({ framesPerSecond: Number(speed) }));
    this.speed.title = "Frames per second";
    this.element = make("footer", { id: "timeline" }, this.play, this.at, this.label, this.speed);
    this.element.hidden = scene.meta.frames.length < 2;
  }

  update(): void {
    const { frame, isPlaying, framesPerSecond } = this.store.now;
    this.play.textContent = isPlaying ? "❚❚" : "▶";
    this.at.max = String(Math.max(0, this.scene.frames.length - 1));
    this.at.value = String(frame);
    this.speed.value = String(framesPerSecond);
    this.label.textContent = frameText(this.scene, frame);
  }

  /** A moment of playing; whether there is a next one. */
  advance(now: number): boolean {
    const { isPlaying, frame, framesPerSecond } = this.store.now;
    if (!isPlaying || this.scene.meta.frames.length < 2) return false;
    // The others are still on their way.
    if (this.scene.frames.length < 2) return true;
    if (now < this.due) return true;
    const late = now - this.due > 1000;
    this.due = (late ? now : this.due) + 1000 / framesPerSecond;
    this.store.set({ frame: (frame + 1) % this.scene.frames.length });
    return true;
  }
}

/** What frame this is. */
export function frameText(scene: Scene, index: number): string {
  const frame = scene.meta.frames[index];
  if (frame === undefined) return "";
  const of = `${whole(index + 1)} of ${whole(scene.meta.frames.length)}`;
  if (frame.time !== null) return `time ${short(frame.time)} (${of})`;
  return frame.step !== null ? `step ${whole(frame.step)} (${of})` : `${frame.label} (${of})`;
}
