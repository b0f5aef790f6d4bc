// Usage: node es3-gate.js DIRECTORY [VENDOR_DIRECTORY]
// Names on standard output, one a line, everything in the directory's scripts that a browser of the
// age of IE8 could not run, or that the house rules forbid. Scripts of the vendor directory are only
// parsed. Nothing printed: all is well.
"use strict";
const acorn = require("acorn");
const fs = require("fs");
const path = require("path");

const COMPAT_FILE = "dom.js";
const MOST_LINES_OF_A_FILE = 400;
const MOST_LINES_OF_A_FUNCTION = 40;

/** Methods that came after ES3 and its DOM; they are called nowhere. */
const LATE_METHODS = new Set(
  ("forEach map filter reduce reduceRight some every includes find findIndex startsWith endsWith " +
    "repeat padStart padEnd trim bind entries toISOString getElementsByClassName closest remove " +
    "append prepend replaceChildren replaceWith").split(" "));
const LATE_STATICS = new Set(["Date.now", "Object.keys", "Object.values", "Object.create",
  "Object.assign", "Array.isArray", "Array.from", "Number.isFinite", "Number.isInteger"]);
const LATE_GLOBALS = new Set(["Promise", "Map", "Set", "Symbol", "fetch", "WebSocket",
  "requestAnimationFrame", "URL", "URLSearchParams", "localStorage"]);
/** Old browsers have another word for these; only one file may choose. */
const COMPAT_ONLY = new Set(["addEventListener", "attachEvent", "textContent", "innerText",
  "getContext", "getComputedStyle"]);
/** Each would let text become HTML or code. */
const UNSAFE = new Set(["innerHTML", "outerHTML", "insertAdjacentHTML", "write", "writeln"]);
const LATE_PROPERTIES = new Set(["classList", "dataset", "firstElementChild", "children"]);

function main(directory, vendor) {
  const problems = [];
  for (const file of scripts(directory)) {
    check(path.join(directory, file), file, problems, true);
  }
  for (const file of vendor ? scripts(vendor) : []) {
    check(path.join(vendor, file), file, problems, false);
  }
  problems.forEach((problem) => console.log(problem));
}

function scripts(directory) {
  return fs.readdirSync(directory).filter((name) => name.endsWith(".js")).sort();
}

function check(full, name, problems, isOwn) {
  const text = fs.readFileSync(full, "utf8");
  const report = (line, what) => problems.push(`${name}:${line} ${what}`);
  const tokens = [];
  let tree;
  try {
    tree = acorn.parse(text, {
      ecmaVersion: 3, allowReserved: "never", locations: true, onToken: tokens
    });
  } catch (e) {
    report(e.loc ? e.loc.line : 1, `is not ES3: ${e.message}`);
    return;
  }
  trailingCommas(tokens, report);
  if (isOwn) {
    const lines = text.split("\n").length - 1;
    if (lines > MOST_LINES_OF_A_FILE) {
      report(lines, `the file has ${lines} lines, ${MOST_LINES_OF_A_FILE} at most`);
    }
    walk(tree, (node) => inspect(node, name, report));
  }
}

/** ES3 allows a comma before a bracket, but then IE8 counts an element more. */
function trailingCommas(tokens, report) {
  for (let i = 1; i < tokens.length; i++) {
    if (tokens[i - 1].type === acorn.tokTypes.comma && tokens[i].type === acorn.tokTypes.bracketR) {
      report(tokens[i].loc.start.line, "trailing comma in an array");
    }
  }
}

function walk(node, visit) {
  visit(node);
  for (const key of Object.keys(node)) {
    for (const child of [].concat(node[key])) {
      if (child && typeof child.type === "string" && key !== "loc") {
        walk(child, visit);
      }
    }
  }
}

function inspect(node, file, report) {
  const line = node.loc.start.line;
  if (/^Function/.test(node.type) && !isModule(node)) {
    const lines = node.loc.end.line - line + 1;
    if (lines > MOST_LINES_OF_A_FUNCTION) {
      report(line, `the function has ${lines} lines, ${MOST_LINES_OF_A_FUNCTION} at most`);
    }
  } else if (node.type === "CallExpression") {
    inspectCall(node, line, report);
  } else if (node.type === "NewExpression") {
    inspectNew(node.callee.name, line, report);
  } else if (node.type === "MemberExpression" && !node.computed) {
    inspectMember(node, file, line, report);
  }
}

/** The function around a whole file, which is as long as the file. */
function isModule(node) {
  return node.id === null && node.params.length === 0
    && node.body.body.some((one) => one.type === "FunctionDeclaration");
}

function inspectCall(node, line, report) {
  const callee = node.callee;
  if (callee.type === "Identifier") {
    if (LATE_GLOBALS.has(callee.name)) {
      report(line, `${callee.name} came after ES3`);
    } else if (callee.name === "eval") {
      report(line, "makes code from text");
    }
  } else if (callee.type === "MemberExpression" && LATE_METHODS.has(callee.property.name)) {
    report(line, `.${callee.property.name}() came after ES3`);
  }
}

function inspectNew(name, line, report) {
  if (name === "Function") {
    report(line, "makes code from text");
  } else if (LATE_GLOBALS.has(name)) {
    report(line, `${name} came after ES3`);
  }
}

function inspectMember(node, file, line, report) {
  const property = node.property.name;
  if (UNSAFE.has(property)) {
    report(line, `.${property} would make HTML of text`);
  } else if (COMPAT_ONLY.has(property) && file !== COMPAT_FILE) {
    report(line, `.${property} belongs into ${COMPAT_FILE}`);
  } else if (LATE_PROPERTIES.has(property)) {
    report(line, `.${property} came after ES3`);
  } else if (LATE_STATICS.has(node.object.name + "." + property)) {
    report(line, `${node.object.name}.${property} came after ES3`);
  }
}

main(process.argv[2], process.argv[3]);
