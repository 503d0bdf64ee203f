// A picture of the page as a PNG file, with its bars, scale and caption.

import type { Camera } from "./camera.ts";
import { make } from "./dom.ts";
import { type OverlayContent, drawOverlay } from "./overlay.ts";
import type { Scene } from "./scene.ts";

/** The picture; the canvas must have been drawn in this very moment. */
export function compose(canvas: HTMLCanvasElement, scene: Scene, camera: Camera, content: OverlayContent): HTMLCanvasElement {
  const picture = make("canvas", { width: canvas.width, height: canvas.height });
  const g = picture.getContext("2d");
  if (g === null) throw new Error("this browser gives no canvas to draw on");
  g.drawImage(canvas, 0, 0);
  const ratio = canvas.width / Math.max(1, canvas.clientWidth);
  g.scale(ratio, ratio);
  drawOverlay(g, canvas.width / ratio, canvas.height / ratio, scene, camera, content);
  return picture;
}

/** Hands the picture to the user as a file. */
export function save(picture: HTMLCanvasElement, name: string): void {
  picture.toBlob((blob) => {
    if (blob === null) return;
    const link = make("a", { href: URL.createObjectURL(blob), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }, "image/png");
}
