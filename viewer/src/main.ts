// Starts the page.

import { App } from "./app.ts";
import { readMeta } from "./page.ts";
import { Scene } from "./scene.ts";

declare global {
  interface Window {
    /** For tests and for the curious: the page's own objects, and whether all is loaded. */
    multigrain?: { app: App; isLoaded: boolean };
  }
}

async function start(): Promise<void> {
  const scene = new Scene(readMeta(document));
  const app = new App(scene);
  window.multigrain = { app, isLoaded: false };
  await scene.load(document, (_, index) => app.loaded(index));
  window.multigrain.isLoaded = true;
  performance.mark("multigrain-loaded");
}

start().catch((error: unknown) => {
  const text = error instanceof Error ? error.message : String(error);
  const box = document.createElement("p");
  box.id = "failure";
  box.textContent = `This page cannot be shown: ${text}.`;
  document.body.append(box);
  console.error(error);
});
