// How long a page takes to load and to draw in Chromium without a graphics card, and how much memory: node test/measure.mjs PAGE.html

import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import puppeteer from "puppeteer-core";

const page = resolve(process.argv[2] ?? "multigrain.html");
const chromium = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(
  (path) => path !== undefined && existsSync(path),
);
const browser = await puppeteer.launch({
  executablePath: chromium,
  args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist", "--enable-precise-memory-info"],
});
const tab = await browser.newPage();
await tab.setViewport({ width: 1200, height: 800 });
await tab.goto(pathToFileURL(page).href);
await tab.waitForFunction("window.multigrain?.isLoaded", { timeout: 300_000 });
const found = await tab.evaluate(() => {
  const { app } = window.multigrain;
  const gl = document.getElementById("picture").getContext("webgl2");
  const timed = (work) => {
    const start = performance.now();
    work();
    return performance.now() - start;
  };
  const picture = () => {
    app.camera.orbit(0.1, 0);
    app.picture();
    gl.finish();
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
  };
  return {
    loaded: performance.getEntriesByName("multigrain-loaded")[0].startTime,
    pictures: [1, 2, 3].map(() => timed(picture)),
    heap: performance.memory.usedJSHeapSize,
  };
});

/** Resident memory of this browser's processes, by kind. */
function memory(root) {
  const all = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const read = (id, file) => {
    try {
      return readFileSync(`/proc/${id}/${file}`, "utf8");
    } catch {
      return "";
    }
  };
  const parent = new Map(all.map((id) => [id, read(id, "status").match(/PPid:\s+(\d+)/)?.[1]]));
  const isOurs = (id) => id === root || (parent.get(id) !== undefined && isOurs(parent.get(id)));
  const sums = {};
  for (const id of all.filter(isOurs)) {
    const kind = read(id, "cmdline").match(/--type=([a-z-]+)/)?.[1] ?? "browser";
    const kilobytes = Number(read(id, "status").match(/VmRSS:\s+(\d+)/)?.[1] ?? 0);
    if (["renderer", "gpu-process"].includes(kind)) sums[kind] = Math.max(sums[kind] ?? 0, Math.round(kilobytes / 1000));
  }
  return sums;
}

console.log(`page           ${(statSync(page).size / 1e6).toFixed(1)} MB`);
console.log(`loaded after   ${(found.loaded / 1e3).toFixed(1)} s`);
console.log(`a picture      ${found.pictures.map((ms) => (ms / 1e3).toFixed(2)).join(", ")} s`);
console.log(`heap           ${(found.heap / 1e6).toFixed(0)} MB`);
for (const [kind, megabytes] of Object.entries(memory(String(browser.process()?.pid)))) console.log(`${kind.padEnd(14)} ${megabytes} MB`);
await browser.close();
