// Mouse, touch and keyboard.

import type { Camera, Side } from "./camera.ts";

/** Radians for each pixel, and the factor for each notch of the wheel. */
const TURN = 0.008;
const NOTCH = 1.0015;
/** A press that moves less than this, in pixels, is a click. */
const CLICK = 5;

export interface Actions {
  /** The camera has moved. */
  moved(): void;
  /** Nothing is being dragged any more. */
  rested(): void;
  clicked(x: number, y: number): void;
  doubleClicked(x: number, y: number): void;
  key(key: string): boolean;
}

interface Touch {
  x: number;
  y: number;
}

/** Listens on the picture and on the keyboard. Places are in pixels of the page, from the middle of the picture. */
export function listen(canvas: HTMLElement, camera: Camera, actions: Actions): void {
  const touches = new Map<number, Touch>();
  let travelled = 0;
  let isPanning = false;
  const place = (event: MouseEvent): Touch => {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left - box.width / 2, y: event.clientY - box.top - box.height / 2 };
  };
  /** Pixels of the drawing for each pixel of the page. */
  const ratio = (): number => camera.height / Math.max(1, canvas.clientHeight);

  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    touches.set(event.pointerId, place(event));
    isPanning = event.button !== 0 || event.shiftKey || event.ctrlKey || event.metaKey;
    if (touches.size === 1) travelled = 0;
    canvas.focus();
  });
  canvas.addEventListener("pointermove", (event) => {
    const before = touches.get(event.pointerId);
    if (before === undefined) return;
    const now = place(event);
    const [dx, dy] = [now.x - before.x, now.y - before.y];
    travelled += Math.abs(dx) + Math.abs(dy);
    const other = [...touches].find(([id]) => id !== event.pointerId)?.[1];
    touches.set(event.pointerId, now);
    if (other !== undefined) {
      // Two fingers: their distance zooms, their middle moves.
      const distance = (a: Touch): number => Math.hypot(a.x - other.x, a.y - other.y) || 1;
      camera.zoom(distance(now) / distance(before), ((now.x + other.x) / 2) * ratio(), ((now.y + other.y) / 2) * ratio());
      camera.pan((dx / 2) * ratio(), (dy / 2) * ratio());
    } else if (isPanning || camera.isFlat) {
      camera.pan(dx * ratio(), dy * ratio());
    } else {
      camera.orbit(dx * TURN, dy * TURN);
    }
    actions.moved();
  });
  const ended = (event: PointerEvent): void => {
    const was = touches.delete(event.pointerId);
    if (!was || touches.size > 0) return;
    actions.rested();
    if (event.type === "pointerup" && travelled < CLICK && event.button === 0) {
      const { x, y } = place(event);
      actions.clicked(x * ratio(), y * ratio());
    }
  };
  canvas.addEventListener("pointerup", ended);
  canvas.addEventListener("pointercancel", ended);
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  canvas.addEventListener("dblclick", (event) => {
    const { x, y } = place(event);
    actions.doubleClicked(x * ratio(), y * ratio());
  });
  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      const lines = event.deltaMode === 1 ? 16 : 1;
      const { x, y } = place(event);
      camera.zoom(NOTCH ** (-event.deltaY * lines), x * ratio(), y * ratio());
      actions.moved();
      actions.rested();
    },
    { passive: false },
  );
  window.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (belongsTo(event.target, event.key)) return;
    if (moveByKey(event, camera) || actions.key(event.key)) {
      event.preventDefault();
      actions.moved();
      actions.rested();
    }
  });
}

const SIDES: Record<string, Side> = { "1": "start", "2": "x", "3": "y", "4": "z", "5": "-x", "6": "-y", "7": "-z" };

function moveByKey(event: KeyboardEvent, camera: Camera): boolean {
  const [step, angle] = [0.06 * camera.height, 0.12];
  const arrows: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const arrow = arrows[event.key];
  if (arrow !== undefined) {
    if (event.shiftKey || camera.isFlat) camera.pan(-arrow[0] * step, -arrow[1] * step);
    else camera.orbit(arrow[0] * angle, arrow[1] * angle);
    return true;
  }
  const side = SIDES[event.key];
  if (side !== undefined) {
    camera.fit(side);
    return true;
  }
  switch (event.key) {
    case "+":
    case "=":
      camera.zoom(1.15);
      return true;
    case "-":
      camera.zoom(1 / 1.15);
      return true;
    case "q":
      camera.roll(0.1);
      return true;
    case "e":
      camera.roll(-0.1);
      return true;
    case "p":
      camera.toggleProjection();
      return true;
    default:
      return false;
  }
}

/** Whether a control needs a key itself: fields all of them, sliders those that move them. */
function belongsTo(target: EventTarget | null, key: string): boolean {
  if (key === "Escape") return false;
  if (target instanceof HTMLSelectElement) return true;
  if (!(target instanceof HTMLInputElement)) return false;
  return target.type === "number" || (target.type === "range" && /^(Arrow|Page|Home|End)/.test(key));
}
