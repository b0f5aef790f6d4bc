// The tables of the console. Each part has a box, and shows what the feed brings.
import { bytes, count, el, setText, table } from "./dom.js";

const ms = (n) => (n === undefined ? "–" : n >= 100 ? Math.round(n).toString() : n.toFixed(1));

/** A heading and what stands below it. */
export function part(title, ...inside) {
  return el("section", {}, el("h2", {}, title), ...inside);
}

const used = ({ utilisationPercent, next, reason }) => (next ? `${utilisationPercent} % used; next: ${next} (${reason})` : "not known yet");

/** How much of this node is used, and what gives way first. */
export function headroom() {
  const line = el("p");
  return { box: line, show: (now) => setText(line, now.headroom ? used(now.headroom) : "not known yet") };
}

/** The same of all nodes; one that does not answer may be the fullest. */
export function headrooms() {
  const one = table(
    "How much of each node is used",
    [["Node", (row) => row.node], ["Used", (row) => (row.why ? `no answer: ${row.why}` : used(row))], ["Stages", (row) => row.stages.map((one) => `${one.stage} ${one.utilisationPercent} %`).join(", ")]],
    "No node has told it.",
  );
  const silent = (answer) => answer.unanswered.map(({ node, why }) => ({ node, why, stages: [] }));
  return { box: one.box, show: (answer) => one.show([...silent(answer), ...answer.nodes]) };
}

function of(caption, columns, empty, rows) {
  const one = table(caption, columns, empty);
  return { box: one.box, show: (now) => one.show(rows(now)) };
}

const number = (head, field, words = count) => [head, (row) => words(row[field]), "number"];

export const latencies = () =>
  of(
    "Latency of the last minute by stage",
    [["Stage", (row) => row.stage], number("Records", "records"), number("p50 ms", "p50", ms), number("p90 ms", "p90", ms), number("p99 ms", "p99", ms), number("p99.9 ms", "p999", ms)],
    "No record in the last minute.",
    (now) => Object.entries(now.latencyMs).map(([stage, figures]) => ({ stage, ...figures })),
  );

export const members = () =>
  of(
    "Nodes of the cluster",
    [["Node", (row) => row.name], ["Roles", (row) => row.roles.join(", ")], number("Shards", "shards")],
    "No node.",
    (now) => now.members,
  );

export const listeners = () =>
  of(
    "Open listeners",
    [["Door", (row) => row[0]], ["Address", (row) => row[1]]],
    "Nothing is open.",
    (now) => Object.entries(now.listeners),
  );

export const publishers = () =>
  of(
    "Publishers",
    [["Publisher", (row) => row.name], number("Connections", "connections"), number("Records", "records"), number("Rejected", "rejected"), number("Over quota", "overQuota"), number("Throttled", "throttled"), number("In flight", "inFlightBytes", bytes)],
    "Publishers do not log in on this node, so that they are not told apart.",
    (now) => now.publishers ?? [],
  );

const swap = ({ candidate }) =>
  candidate ? `${candidate.version} ${candidate.phase.replaceAll("_", " ")}: compared ${count(candidate.compared)}, differing ${count(candidate.differing)}${candidate.reason ? `; ${candidate.reason}` : ""}` : "none";

export const scripts = () =>
  of(
    "Scripts",
    [["Script", (row) => row.file], ["Version", (row) => row.version], ["State", (row) => (row.suspended > 0 ? `suspended on ${row.suspended} of ${row.eventLoops} event loops` : "in use")], ["Swap", swap]],
    "This node runs no script.",
    (now) => now.scripts ?? [],
  );

export const stores = () =>
  of(
    "Stores",
    [["Store", (row) => row.name], number("Behind", "lagBytes", bytes), number("Behind s", "lagSeconds"), number("Stored", "stored"), number("Retries", "retries"), number("Dead letters", "deadLetters"), number("In flight", "inFlight")],
    "This node feeds no store.",
    (now) => now.sinks ?? [],
  );

const residuals = ({ stages }) =>
  Object.entries(stages)
    .flatMap(([stage, { shards = [] }]) => shards.map(({ node, shard, direction, records }) => `${stage}: ${records} ${direction} by ${node} in shard ${shard}`))
    .join("; ");

export function ledger() {
  return table(
    "Minutes of the Ledger",
    [["Minute", (row) => row.minute], ["Settled", (row) => (row.settled ? "yes" : row.why ?? "no")], number("Lost or doubled", "residual"), ["Where", residuals]],
    "No minute has closed yet.",
  );
}

export function viewers() {
  return table(
    "Slowest viewers",
    [["Viewer", (row) => row.address], ["Filters", (row) => row.filters.join(" ")], number("Published", "published"), number("Sent", "sent"), number("Conflated", "conflated"), number("Dropped", "dropped"), number("Waiting", "waiting"), number("Waiting", "waitingBytes", bytes)],
    "No viewer is connected.",
  );
}

/** Each sample of the metrics, of which those are shown that have all words. */
export function counters() {
  const grid = table("Metrics", [["Metric", (row) => row[0]], ["Value", (row) => row[1], "number"]], "No metric has these words.");
  const words = el("input", { type: "search", id: "words", autocomplete: "off" });
  const left = el("p", { class: "dim", role: "status" });
  const most = 500;
  let all = [];
  const show = () => {
    const wanted = words.value.toLowerCase().split(/\s+/);
    const found = all.filter(([name]) => wanted.every((word) => name.toLowerCase().includes(word)));
    grid.show(found.slice(0, most));
    setText(left, found.length > most ? `${most} of ${found.length} shown` : `${found.length} shown`);
  };
  words.addEventListener("input", show);
  return {
    box: el("div", {}, el("label", { for: "words" }, "Words in the name"), words, left, grid.box),
    show(text) {
      all = text
        .split("\n")
        .filter((line) => line && !line.startsWith("#"))
        .map((line) => [line.slice(0, line.lastIndexOf(" ")), line.slice(line.lastIndexOf(" ") + 1)]);
      show();
    },
  };
}
