// The console: reads the feed of its node and shows it. The feed has one JSON object a line, once a second.
import { who } from "./acts.js";
import { alarms, MOST } from "./alarms.js";
import { ago, el, setText } from "./dom.js";
import { drills } from "./drills.js";
import { explain } from "./explain.js";
import { faults } from "./faults.js";
import { letters } from "./letters.js";
import * as parts from "./parts.js";
import { plots } from "./plots.js";
import { presence } from "./presence.js";
import { shards } from "./shards.js";
import { topics } from "./topics.js";
import { finder } from "./viewers.js";
import { picture } from "./way.js";

const SILENT_MS = 5_000;
const AGAIN_MS = 2_000;
const ASK_MS = 5_000;
const ROW_MS = 4_500;
const MOST_ROWS = 720;

const byId = (id) => document.getElementById(id);
const lasting = { hour: { figures: [], rows: [] }, before: null, now: null, heardMs: 0, problem: "", unasked: "", skipped: 0, login: undefined };

const hour = plots();
const live = [];
const shown = (one) => {
  live.push(one);
  return one.box;
};
const ledger = parts.ledger();
const viewers = parts.viewers();
const headrooms = parts.headrooms();
const counters = parts.counters();
const owners = shards();
const wrong = faults();
const standing = alarms(() => lasting.login?.role === "operator", () => refresh());
const refused = letters(() => lasting.login?.role === "operator");
const rehearsed = drills(() => ({ isHeard: lasting.heardMs > 0, login: lasting.login }), () => refresh());

// name, title, what it has, and what it asks for while it is looked at
const TABS = [
  ["overview", "Overview", [parts.part("What is wrong now", shown(wrong)), parts.part("The way of a record", el("div", { class: "wide picture", tabindex: "0", role: "region", "aria-label": "picture" }, shown(picture()))), parts.part("How full it is", shown(parts.headroom())), parts.part("The last hour", hour.box), parts.part("Latency of the last minute, from the door", shown(parts.latencies()))], () => Promise.all([ask("conditions", wrong.all), ask("alarms?limit=1", wrong.alarms)])],
  ["nodes", "Nodes and doors", [parts.part("Nodes", shown(parts.members())), parts.part("How full they are", headrooms.box), parts.part("Shards and their owners", owners.box), parts.part("Doors", shown(parts.listeners())), parts.part("Publishers", shown(parts.publishers()))], () => Promise.all([ask("headroom", headrooms.show), ask("shards", owners.show)])],
  ["work", "Scripts and stores", [parts.part("Scripts", shown(parts.scripts())), parts.part("Stores", shown(parts.stores()))]],
  ["viewers", "Viewers", [parts.part("Who watches a topic", presence().box), parts.part("Viewers of all nodes, who lost most first", finder(() => lasting.login?.role === "operator").box), parts.part("Slowest viewers of this node", viewers.box)], () => ask("viewers?limit=50", (answer) => viewers.show(answer.viewers ?? []))],
  ["topics", "Topics", [parts.part("Topics and their last values", topics().box)]],
  ["letters", "Dead letters", [parts.part("Records that were refused, of all nodes", refused.box)], refused.ask],
  ["alarms", "Alarms", [parts.part("Alarms of all nodes, what matters most first", standing.box)], () => ask(`alarms?limit=${MOST}`, standing.show)],
  ["ledger", "Ledger", [parts.part("Minutes, the latest first", ledger.box)], () => ask("ledger?limit=60", (answer) => ledger.show(answer.minutes.slice(-60).reverse()))],
  ["drills", "Drills and audit", [parts.part("The last drills of this node", rehearsed.box), parts.part("The last acts on this node", rehearsed.acts)], rehearsed.ask],
  ["explain", "Explain", [parts.part("Explain a record", explain().box)]],
  ["counters", "Counters", [parts.part("Counters", counters.box)], () => fetch("metrics").then(async (answer) => counters.show(await answer.text()))],
];

let looked = "overview";

async function ask(path, show) {
  const answer = await fetch(path);
  if (answer.ok) show(await answer.json());
  else if (answer.status === 404) show({ viewers: [], nodes: [], minutes: [], groups: [], alarms: [], incomplete: [], unanswered: [] });
  else throw new Error(answer.status === 401 ? "this login is not valid" : `the node answers ${answer.status}`);
}

function refresh() {
  const [name, title, , asks] = TABS.find(([one]) => one === looked);
  const answered = (unasked) => {
    byId(name).classList.toggle("stale", unasked !== "");
    if (name === looked) lasting.unasked = unasked;
    state();
  };
  if (!asks) answered("");
  else if (!document.hidden) asks().then(() => answered(""), (failure) => answered(`${title}: old, since ${failure.message}`));
}

function look(name) {
  looked = name;
  for (const [one] of TABS) {
    const tab = byId(`tab-${one}`);
    tab.setAttribute("aria-selected", String(one === name));
    tab.tabIndex = one === name ? 0 : -1;
    byId(one).hidden = one !== name;
  }
  history.replaceState(null, "", `#/${name}`); // not an id: a reload must not jump to it
  refresh();
}

function onKey(event) {
  const steps = { ArrowRight: 1, ArrowLeft: -1 };
  const at = TABS.findIndex(([name]) => name === looked);
  const to = event.key === "Home" ? 0 : event.key === "End" ? TABS.length - 1 : at + (steps[event.key] ?? NaN);
  if (Number.isNaN(to)) return;
  event.preventDefault();
  look(TABS[(to + TABS.length) % TABS.length][0]);
  byId(`tab-${looked}`).focus();
}

function build() {
  for (const [name, title, inside] of TABS) {
    const tab = el("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": name }, title);
    tab.addEventListener("click", () => look(name));
    byId("tabs").append(tab);
    byId("main").append(el("div", { id: name, role: "tabpanel", "aria-labelledby": `tab-${name}` }, ...inside));
  }
  byId("tabs").addEventListener("keydown", onKey);
  const wanted = location.hash.slice(2);
  look(TABS.some(([name]) => name === wanted) ? wanted : "overview");
}

const sum = (status, part, field) => [status[part] ?? []].flat().reduce((all, one) => all + (one[field] ?? 0), 0);

/** How a count grew between two readings, per second; nothing to say after a restart. */
function rate(part, field) {
  const { before, now } = lasting;
  if (!before) return NaN;
  const grown = sum(now, part, field) - sum(before, part, field);
  return grown < 0 ? NaN : (grown * 1000) / Math.max(1, now.timeMs - before.timeMs);
}

/** The page goes on with the hour from what it hears. */
function remember(status) {
  const { figures, rows } = lasting.hour;
  const last = rows[rows.length - 1];
  if (last && status.timeMs - last[0] < ROW_MS && status.timeMs >= last[0]) return;
  const stages = Object.values(status.latencyMs);
  const known = { ...status.records, timeMs: status.timeMs, logQueueBytes: status.log?.queueBytes, feedLagRecords: status.feed?.lagRecords, connections: status.browsers?.connections, sent: status.browsers?.sent, storeLagBytes: Math.max(0, ...(status.sinks ?? []).map((sink) => sink.lagBytes)), latestP99Us: (stages[stages.length - 1]?.p99 ?? 0) * 1000 };
  rows.push(figures.map((figure) => known[figure] ?? 0));
  if (rows.length > MOST_ROWS) rows.shift();
}

function onStatus(status) {
  lasting.before = lasting.now;
  lasting.now = status;
  remember(status);
  setText(byId("node"), status.node);
  document.title = `${status.ready && !refuses(status) ? "" : "⚠ "}${status.node} – Galop`;
  live.forEach((one) => one.show(status, rate));
  hour.show(lasting.hour);
}

function onObject(object) {
  lasting.heardMs = Date.now();
  lasting.problem = "";
  if (object.hour) {
    lasting.hour = object.hour;
    lasting.login = object.login;
    who(byId("who"), object.login, () => lasting.now?.node ?? "");
    refresh(); // what may be done depends on the login
  } else if (object.skipped) {
    lasting.skipped += object.skipped;
  } else {
    onStatus(object);
  }
  state();
}

/** A node that is ready for viewers may still take no records. */
const refuses = (status) => status.conditions.some((one) => one.level === "refusing");

/** Nothing old is shown as new. */
function state() {
  const { now, heardMs, problem, unasked, skipped } = lasting;
  const isStale = Date.now() - heardMs > SILENT_MS;
  document.body.classList.toggle("stale", isStale);
  document.body.classList.toggle("unready", now !== null && (!now.ready || refuses(now)));
  let words = "connecting";
  if (problem) words = problem;
  else if (isStale && heardMs > 0) words = "no news from the node; the figures are old";
  else if (unasked) words = unasked;
  else if (now) words = `${now.ready ? "ready" : "not ready"}${refuses(now) ? ", records are refused" : ""}, up ${ago(now.uptimeMs)}, ${now.version}${skipped ? `, ${skipped} readings missed` : ""}`;
  setText(byId("state-text"), words);
}

async function read() {
  const answer = await fetch("console/feed");
  if (!answer.ok) {
    throw new Error(answer.status === 401 ? "this login is not valid; load the page again" : ((await answer.json()).error ?? `the node answers ${answer.status}`));
  }
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    lines.forEach((line) => onObject(JSON.parse(line)));
  }
}

async function follow() {
  for (;;) {
    try {
      await read();
    } catch (failure) {
      lasting.problem = failure instanceof TypeError ? "the node does not answer" : failure.message;
      state();
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}

build();
setInterval(state, 1_000);
setInterval(refresh, ASK_MS);
follow();
