// Reads what viewers are sent, one JSON string a line, and writes what webroot/deltas.js makes of it.
"use strict";
const fs = require("fs");
const vm = require("vm");

const context = vm.createContext({JSON});
vm.runInContext(fs.readFileSync(process.argv[2], "utf8"), context);
const deltas = vm.runInContext("new GalopDeltas()", context);
for (const line of fs.readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const text = JSON.parse(line);
  const made = text.charAt(0) === "{" ? text : deltas.read(text);
  console.log(JSON.stringify(made === null ? {lost: deltas.lost} : made));
}
