// Makes dist/: the compiled sources, and core.js, which is webroot/deltas.js and galop.js in a function.
//
// The page's script stays as it is, one global for browsers from IE8 on. What it looks up by name in a page, the
// function hands to it, so that it also runs in Node.js and in workers.
import {execFileSync} from "node:child_process";
import {copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync} from "node:fs";
import {fileURLToPath} from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const page = ["deltas.js", "galop.js"].map((name) => `${here}../../webroot/${name}`);
for (const file of page.filter((each) => !existsSync(each))) {
  throw new Error(`${file} is not there: build the client in a checkout of Galop`);
}
rmSync(`${here}dist`, {recursive: true, force: true});
mkdirSync(`${here}dist`);
execFileSync(process.execPath, [`${here}node_modules/typescript/bin/tsc`, "-p", here], {stdio: "inherit"});
writeFileSync(`${here}dist/core.js`, `// Made by build.mjs from webroot/deltas.js and galop.js.
export default function core(SockJS) {
const window = globalThis, document = globalThis.document ?? {hidden: true};
${page.map((file) => readFileSync(file, "utf8")).join("")}
return Galop;
}
`);
copyFileSync(`${here}src/core.d.ts`, `${here}dist/core.d.ts`);
copyFileSync(`${here}../../LICENSE`, `${here}LICENSE`);
