// The page in a real browser: Chromium without a window, drawing in software. MULTIGRAIN names the program that writes the pages,
// CHROMIUM the browser.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import puppeteer from "puppeteer-core";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const found = (paths) => paths.filter((path) => path !== undefined).map((path) => resolve(path)).find(existsSync);
const program = found([process.env.MULTIGRAIN, join(root, "target/debug/multigrain"), join(root, "target/release/multigrain")]);
const chromium = found([process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]);
assert.ok(program, "there is no multigrain: build it, or name it with MULTIGRAIN");
assert.ok(chromium, "there is no Chromium: install it, or name it with CHROMIUM");

const folder = mkdtempSync(join(tmpdir(), "multigrain-view-"));
const run = (line) => execFileSync(program, line.split(" "), { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
let browser;

before(async () => {
  // Two frames of 300 spheres that overlap here and there.
  for (const seed of [1, 2]) {
    run(`pack --law uniform --ratio 3 --count 300 --packing-fraction 0.5 --placement random --periodic x,y --seed ${seed} -o part.xyz`);
    appendFileSync(join(folder, "spheres.xyz"), readFileSync(join(folder, "part.xyz")));
  }
  run("view spheres.xyz -o spheres.html");
  run("pack --law uniform --ratio 3 --count 200 --packing-fraction 0.8 --placement random --dimension 2 -o discs.csv");
  run("view discs.csv -o discs.html");
  run("pack --law uniform --ratio 2 --count 21000 --packing-fraction 0.5 --placement random -o many.npy");
  run("view many.npy -o many.html --contacts no");
  writeFileSync(join(folder, "empty.csv"), "x,y,z,r\n");
  run("view empty.csv -o empty.html");
  // A run into which grains come: its first frame has none.
  const frame = (rows) => `${rows.length}\nLattice="4 0 0 0 4 0 0 0 4" Properties=pos:R:3:radius:R:1\n${rows.map((row) => row + "\n").join("")}`;
  writeFileSync(join(folder, "coming.xyz"), frame([]) + frame(["1 1 1 0.5", "3 3 3 0.5"]));
  run("view coming.xyz -o coming.html");
  // A film of spheres, which begins to play by itself.
  run("new drum");
  const drum = readFileSync(join(folder, "drum.toml"), "utf8");
  writeFileSync(join(folder, "drum.toml"), drum.replace("count = 800", "count = 100").replace("[output]", "[output]\nfilm = true"));
  run("simulate drum.toml --duration 0.15");
  // Spheres in a funnel, in space, and polygons on a plate.
  writeFileSync(
    join(folder, "funnel.toml"),
    `dimension = 3
duration = 0.01
gravity = [0.0, 0.0, -9.81]
[domain]
lo = [0.0, 0.0, 0.0]
hi = [0.1, 0.1, 0.1]
walls = true
[[material]]
name = "glass"
density = 2500.0
stiffness = 1000.0
[[wall]]
shape = "funnel"
ends = [[0.05, 0.05, 0.02], [0.05, 0.05, 0.05]]
radii = [0.02, 0.049]
[[particles]]
count = 20
law = "uniform"
ratio = 2.0
radius = 0.004
lo = [0.02, 0.02, 0.06]
hi = [0.08, 0.08, 0.1]
[output]
snapshot_every = 0.005
`,
  );
  run("simulate funnel.toml");
  writeFileSync(
    join(folder, "polygons.toml"),
    `dimension = 2
duration = 0.01
gravity = [0.0, -9.81]
[domain]
lo = [0.0, -0.02]
hi = [0.2, 0.2]
[[material]]
name = "grain"
density = 1000.0
modulus = 2e5
[[wall]]
shape = "plate"
corners = [[0.0, 0.0], [0.2, 0.0]]
[[polygons]]
count = 30
corners = [4, 8]
radius = 0.012
lo = [0.0, 0.001]
hi = [0.2, 0.2]
[output]
snapshot_every = 0.005
color = "speed"
`,
  );
  run("simulate polygons.toml");
  // The same grains in a box that leans and in one that does not.
  for (const [name, lean] of [["leaning", 1.5], ["upright", 0]]) {
    writeFileSync(join(folder, `${name}.xyz`), `2\nLattice="4 0 0 ${lean} 4 0 0 0 4" Properties=pos:R:3:radius:R:1\n1 1 1 0.5\n3 3 3 0.5\n`);
    run(`view ${name}.xyz -o ${name}.html`);
  }
  browser = await puppeteer.launch({
    executablePath: chromium,
    args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"],
  });
});

after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Opens a page; errors and requests that leave it are kept. */
async function open(name, { width = 1000, height = 700, prepare } = {}) {
  const page = await browser.newPage();
  const wrong = [];
  page.on("pageerror", (error) => wrong.push(`error: ${error.message}`));
  page.on("console", (message) => message.type() === "error" && wrong.push(`console: ${message.text()}`));
  page.on("request", (request) => /^(file|data|blob):/.test(request.url()) || wrong.push(`request: ${request.url()}`));
  await page.setViewport({ width, height });
  if (prepare !== undefined) await page.evaluateOnNewDocument(prepare);
  await page.goto(pathToFileURL(join(folder, name)).href);
  await page.waitForFunction("window.multigrain?.isLoaded || document.getElementById('failure')", { timeout: 30_000 });
  return { page, wrong };
}

/** The drawing alone, without bars: how much of it is not background, and a fingerprint. */
const drawing = (page) =>
  page.evaluate(() => {
    window.multigrain.app.picture();
    const canvas = document.getElementById("picture");
    const copy = document.createElement("canvas");
    [copy.width, copy.height] = [canvas.width, canvas.height];
    const g = copy.getContext("2d");
    g.drawImage(canvas, 0, 0);
    const pixels = g.getImageData(0, 0, copy.width, copy.height).data;
    let [drawn, print] = [0, 0];
    for (let k = 0; k < pixels.length; k += 4) {
      const differs = [0, 1, 2].some((channel) => Math.abs(pixels[k + channel] - pixels[channel]) > 8);
      if (differs) drawn++;
      print = (Math.imul(print, 31) + pixels[k] + 256 * pixels[k + 1] + 65536 * pixels[k + 2]) | 0;
    }
    return { share: drawn / (pixels.length / 4), print };
  });

const choose = (page, id, value) =>
  page.$eval(
    `#${id}`,
    (element, value) => {
      element.value = value;
      element.dispatchEvent(new Event(element.tagName === "SELECT" ? "change" : "input", { bubbles: true }));
    },
    value,
  );

test("films play by themselves, and fit into the frame of a notebook", async () => {
  const { page, wrong } = await open("drum/film.html");
  assert.equal(await page.evaluate("window.multigrain.app.store.now.isPlaying"), true);
  assert.equal(await page.$eval("#column", (element) => element.value), "speed", "the color that the scene asks for");
  await page.waitForFunction("window.multigrain.app.store.now.frame > 0", { timeout: 20_000 });
  assert.deepEqual(wrong, []);
  await page.close();
  const inner = readFileSync(join(folder, "drum/page.html"), "utf8").replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  writeFileSync(join(folder, "notebook.html"), `<!doctype html><iframe srcdoc="${inner}" style="width:900px;height:600px"></iframe>`);
  const outer = await browser.newPage();
  await outer.goto(pathToFileURL(join(folder, "notebook.html")).href);
  const frame = await (await outer.$("iframe")).contentFrame();
  await frame.waitForFunction("window.multigrain?.isLoaded", { timeout: 30_000 });
  const { share } = await drawing(frame);
  assert.ok(share > 0.001, `only ${share} of the picture is drawn`);
  await outer.close();
});

test("spheres are drawn, and everything that can be changed changes the picture", async () => {
  const { page, wrong } = await open("spheres.html");
  let last = await drawing(page);
  assert.ok(last.share > 0.1, `only ${last.share} of the picture is drawn`);
  const changes = async (what) => {
    const now = await drawing(page);
    assert.notEqual(now.print, last.print, `${what} changes nothing`);
    last = now;
  };
  await choose(page, "time", "1");
  await changes("the time slider");
  await choose(page, "column", "x");
  await changes("another column");
  await choose(page, "map", "cividis");
  await changes("another map");
  await choose(page, "cut", "y");
  await changes("the cut");
  await choose(page, "cut-place", "0.3");
  await changes("the place of the cut");
  await choose(page, "cut", "none");
  await changes("no cut");
  await choose(page, "smallest", "0.5");
  await changes("the smallest size");
  await page.click("#show-contacts");
  await changes("contacts");
  await page.click("#show-box");
  await changes("the box");
  await page.keyboard.press("d");
  await changes("dark and light");
  await page.mouse.move(400, 350);
  await page.mouse.down();
  await page.mouse.move(460, 390, { steps: 4 });
  await page.mouse.up();
  await changes("turning");
  await page.mouse.wheel({ deltaY: -300 });
  await changes("zooming");
  assert.deepEqual(wrong, []);
  await page.close();
});

test("a click chooses a grain, and a contact leads to the next", async () => {
  const { page, wrong } = await open("spheres.html");
  const before = await drawing(page);
  // The grain with the most contacts that is in sight is looked for by clicking across the picture.
  let card = "";
  for (let x = 250; x < 500 && !/[2-9] contacts/.test(card); x += 25) {
    await page.mouse.click(x, 350);
    card = await page.$eval("#card", (element) => (element.hidden ? "" : element.innerText));
  }
  assert.match(card, /^Grain \d+/);
  assert.match(card, /center/);
  assert.match(card, /radius/);
  assert.match(card, /[2-9] contacts/);
  assert.notEqual((await drawing(page)).print, before.print);
  await page.click("#card .contacts button");
  const next = await page.$eval("#card", (element) => element.innerText);
  assert.notEqual(next.split("\n")[0], card.split("\n")[0]);
  await page.keyboard.press("Escape");
  assert.ok(await page.$eval("#card", (element) => element.hidden));
  assert.deepEqual(wrong, []);
  await page.close();
});

test("it plays, and stops when the slider is dragged", async () => {
  const { page, wrong } = await open("spheres.html");
  const frame = () => page.evaluate(() => window.multigrain.app.store.now.frame);
  await page.click("#play");
  await page.waitForFunction(() => window.multigrain.app.store.now.frame === 1);
  await choose(page, "time", "0");
  assert.equal(await page.evaluate(() => window.multigrain.app.store.now.isPlaying), false);
  assert.equal(await frame(), 0);
  await page.keyboard.press(".");
  assert.equal(await frame(), 1);
  // The slider keeps the keys that move it, and no others.
  await page.focus("#time");
  await page.keyboard.press("ArrowLeft");
  assert.equal(await frame(), 0);
  await page.keyboard.press(".");
  assert.equal(await frame(), 1);
  assert.deepEqual(wrong, []);
  await page.close();
});

test("browsers that cannot inflate show the same", async () => {
  const usual = await open("spheres.html");
  const other = await open("spheres.html", { prepare: () => delete globalThis.DecompressionStream });
  assert.deepEqual(await drawing(other.page), await drawing(usual.page));
  assert.deepEqual([...usual.wrong, ...other.wrong], []);
  await usual.page.close();
  await other.page.close();
});

test("the picture that is saved has its bar and its caption", async () => {
  const { page, wrong } = await open("spheres.html");
  const text = await page.evaluate(() => window.multigrain.app.picture().toDataURL("image/png").length);
  assert.ok(text > 20_000);
  const [bare, whole] = await page.evaluate(() => {
    const { app } = window.multigrain;
    const picture = app.picture();
    const sum = (canvas) => {
      const copy = document.createElement("canvas");
      [copy.width, copy.height] = [300, 120];
      const g = copy.getContext("2d");
      g.drawImage(canvas, 0, canvas.height - 120, 300, 120, 0, 0, 300, 120);
      return g.getImageData(0, 0, 300, 120).data.reduce((sum, value) => sum + value, 0);
    };
    return [sum(document.getElementById("picture")), sum(picture)];
  });
  assert.notEqual(bare, whole);
  assert.deepEqual(wrong, []);
  await page.close();
});

test("many small spheres look the same as points and as squares", async () => {
  const { page, wrong } = await open("many.html");
  const compare = await page.evaluate(() => {
    const { app } = window.multigrain;
    const canvas = document.getElementById("picture");
    const pixels = () => {
      app.picture();
      const copy = document.createElement("canvas");
      [copy.width, copy.height] = [canvas.width, canvas.height];
      const g = copy.getContext("2d");
      g.drawImage(canvas, 0, 0);
      return g.getImageData(0, 0, copy.width, copy.height).data;
    };
    app.camera.zoom(0.6);
    const arePoints = app.camera.largestInPixels(app.scene.frames[0].radii.reduce((a, b) => Math.max(a, b))) <= 24;
    const points = pixels();
    app.camera.largestInPixels = () => Infinity;
    const squares = pixels();
    let differing = 0;
    for (let k = 0; k < points.length; k += 4) {
      if ([0, 1, 2].some((channel) => Math.abs(points[k + channel] - squares[k + channel]) > 24)) differing++;
    }
    return { arePoints, differing: differing / (points.length / 4) };
  });
  assert.ok(compare.arePoints);
  assert.ok(compare.differing < 0.01, `${compare.differing} of the picture differs`);
  assert.deepEqual(wrong, []);
  await page.close();
});

test("discs are drawn and chosen in the plane", async () => {
  const { page, wrong } = await open("discs.html");
  const first = await drawing(page);
  assert.ok(first.share > 0.1);
  const place = await page.evaluate(() => {
    const { app } = window.multigrain;
    const [x, y] = app.scene.frames[0].positions;
    const { camera } = app;
    return [500 + (x - camera.target[0]) / camera.pixel, 350 - (y - camera.target[1]) / camera.pixel];
  });
  await page.mouse.click(...place);
  assert.match(await page.$eval("#card", (element) => element.innerText), /^Grain \d+/);
  await page.click("#show-contacts");
  assert.notEqual((await drawing(page)).print, first.print);
  assert.deepEqual(wrong, []);
  await page.close();
});

test("a phone shows the picture first, and the panel when asked", async () => {
  const { page, wrong } = await open("spheres.html", { width: 390, height: 780 });
  const panel = () => page.$eval("#panel", (element) => getComputedStyle(element).display);
  assert.equal(await panel(), "none");
  await page.click(".tools button");
  assert.notEqual(await panel(), "none");
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
  assert.ok((await drawing(page)).share > 0.1);
  assert.deepEqual(wrong, []);
  await page.close();
});

test("a file of no particles says so", async () => {
  const { page, wrong } = await open("empty.html");
  assert.match(await page.$eval("#head", (element) => element.innerText), /no particles/);
  assert.deepEqual(wrong, []);
  await page.close();
});

test("a run that begins without a grain opens where the first ones are", async () => {
  const { page, wrong } = await open("coming.html");
  assert.deepEqual(wrong, []);
  assert.equal(await page.evaluate(() => window.multigrain.app.store.now.frame), 1);
  assert.ok((await drawing(page)).share > 0.001);
  await page.close();
});

test("walls of a run in space are shown and hidden, by the panel and by a key; another key takes logarithms", async () => {
  const { page, wrong } = await open("funnel/page.html");
  const shown = await drawing(page);
  assert.ok(shown.share > 0.02, `only ${shown.share} of the picture is drawn`);
  await page.click("#show-walls");
  const hidden = await drawing(page);
  assert.notEqual(hidden.print, shown.print);
  assert.ok(hidden.share < shown.share, "walls cover something");
  await page.focus("#picture");
  await page.keyboard.press("w");
  assert.equal((await drawing(page)).print, shown.print);
  await choose(page, "column", "radius");
  const plain = await drawing(page);
  await page.keyboard.press("l");
  assert.equal(await page.evaluate("window.multigrain.app.store.now.isLogarithmic"), true);
  assert.notEqual((await drawing(page)).print, plain.print);
  assert.deepEqual(wrong, []);
  await page.close();
});

test("polygons are drawn with their corners, colored as the scene asks, and chosen", async () => {
  const { page, wrong } = await open("polygons/page.html");
  assert.equal(await page.$eval("#column", (element) => element.value), "speed");
  const first = await drawing(page);
  assert.ok(first.share > 0.05, `only ${first.share} of the picture is drawn`);
  await choose(page, "time", "2");
  const last = await drawing(page);
  assert.notEqual(last.print, first.print);
  await page.click("#show-walls");
  assert.notEqual((await drawing(page)).print, last.print, "the plate");
  const place = await page.evaluate(() => {
    const { app } = window.multigrain;
    const [x, y] = app.scene.frames[2].positions;
    const { camera } = app;
    return [500 + (x - camera.target[0]) / camera.pixel, 350 - (y - camera.target[1]) / camera.pixel];
  });
  await page.mouse.click(...place);
  assert.match(await page.$eval("#card", (element) => element.innerText), /^Grain id 0\n[^]*corners/);
  assert.deepEqual(wrong, []);
  await page.close();
});

test("a sheared box is drawn as it leans", async () => {
  const look = async (name) => {
    const { page, wrong } = await open(name);
    const edges = await page.evaluate(() => window.multigrain.app.scene.meta.frames[0].box.edges);
    const whole = await drawing(page);
    await page.click("#show-box");
    const bare = await drawing(page);
    assert.deepEqual(wrong, []);
    await page.close();
    return { edges, whole: whole.print, bare: bare.print };
  };
  const [leaning, upright] = [await look("leaning.html"), await look("upright.html")];
  assert.deepEqual(leaning.edges[1].map((length) => Math.abs(length) > 0), [true, true, false]);
  assert.deepEqual(upright.edges[1].map((length) => Math.abs(length) > 0), [false, true, false]);
  assert.notEqual(leaning.whole, upright.whole);
  assert.notEqual(leaning.whole, leaning.bare, "the box is drawn");
});
