// Builds the page that `multigrain view` fills: one file with program and style. `--check` only says whether the file that is
// in the repository is that of the source.

import { build } from "esbuild";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const target = join(here, "../crates/multigrain-files/src/view/viewer.html");

const bundled = async (entry) => {
  const { outputFiles } = await build({
    entryPoints: [join(here, "src", entry)],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: ["chrome100", "firefox100", "safari15.4"],
    charset: "utf8",
    legalComments: "none",
  });
  return outputFiles[0].text.trim();
};

const [program, style, template] = await Promise.all([
  bundled("main.ts"),
  bundled("page.css"),
  readFile(join(here, "src/page.html"), "utf8"),
]);
if (program.includes("</script") || style.includes("</style")) throw new Error("the bundle would end its own element");
const page = template.replace("{{STYLE}}", () => style).replace("{{PROGRAM}}", () => program);

if (process.argv.includes("--check")) {
  const committed = await readFile(target, "utf8").catch(() => "");
  if (committed !== page) {
    console.error("crates/multigrain-files/src/view/viewer.html is not that of viewer/src: run `npm run build` in viewer");
    process.exit(1);
  }
  console.log("the page in the repository is that of its source");
} else {
  await writeFile(target, page);
  console.log(`${page.length} bytes`);
}
