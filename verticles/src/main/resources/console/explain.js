// Where a record is, and how it came there: one question to all nodes, asked by whoever looks.
import { answer, count, el, table } from "./dom.js";

const known = (fact, words) => (fact.known === false ? `not known, because ${fact.because}${fact.notAfter ? ` (not after ${fact.notAfter})` : ""}` : words(fact));

const listed = (nodes) => (nodes.length === 0 ? "no node" : nodes.join(", "));

const then = (fact) => (fact ? ` now, then ${fact.versions ? `one of ${fact.versions.join(", ")}: ${fact.because}` : known(fact, ({ version }) => version)}` : "");

const step = (one) => [one.step, one.file, one.table, one.version].filter(Boolean).join(" ") + then(one.then);

const steps = ({ nodes, enrichedBy }) => nodes.map(({ node, steps: chain }) => `${node}: ${chain.length === 0 ? "none for the topic now" : chain.map(step).join(", next ")}`).concat(enrichedBy ? [`by which node: ${known(enrichedBy)}`] : []).join("; ");

const onDisk = (logged) => `${logged.onDisk === undefined ? "" : logged.onDisk ? "yes; when: " : "not yet; when: "}${known(logged, ({ time }) => time)}`;

const facts = (one) => [
  ["Event time", one.time],
  ["Position", one.pos],
  ["Owner", known(one.owner, ({ nodes, shard }) => `${listed(nodes)}, of shard ${shard}`)],
  ["Taken", known(one.taken, ({ door, node, time, trace }) => `by the door ${door} of ${node} with its Batch at ${time}${trace ? `, in the trace ${trace}` : ""}`)],
  ["Placed", known(one.placed, ({ time }) => time)],
  ["On disk", onDisk(one.logged)],
  ["In memory", listed(one.inMemory)],
  ["Steps", known(one.steps, steps)],
  ["Raw message", known(one.raw, () => "the data is what was published")],
  ["Data", one.data + (one.dataCut ? "… (there is more)" : "")],
];

/** What a node of an older version does not say. */
const OLDER = { known: false, because: "the node is of an older version" };

const reach = ({ sent, leaving, waiting, unknown }) => `sent to ${count(sent)}, leaving to ${count(leaving)}, waiting for ${count(waiting)}, not known of ${count(unknown)}`;

const written = ({ sent, written: when = OLDER }) => known(when, ({ registrations, first, last }) => `to ${count(registrations)} from ${first} to ${last}${sent > registrations ? `, not known of the other ${count(sent - registrations)}` : ""}`);

const newer = (value) => (value.known === false ? known(value) : value === "" ? "it is the newest" : `yes: ${value}`);

function stores(rows) {
  const grid = table(
    "Stores",
    [["Store", (row) => row.store], ["Node", (row) => row.node], ["Has it", (row) => known(row, ({ holds, because }) => (holds ? "yes" : `no: ${because}`))], ["Behind, records", (row) => count(row.lagRecords), "number"], ["Cursor", (row) => row.cursor]],
    "No node that answered feeds a store.",
  );
  grid.show(rows);
  return grid.box;
}

function shown(rows) {
  const grid = table(
    "Broadcast nodes",
    [["Node", (row) => row.node], ["Fed", (row) => known(row.fed, ({ time }) => time)], ["Watch the topic now", (row) => count(row.registrations), "number"], ["Its newest only", (row) => count(row.newestOnly), "number"], ["What became of it", (row) => known(row.reach ?? OLDER, reach)], ["Written to sockets", (row) => known(row.reach ?? OLDER, written)], ["Conflated by a newer value", (row) => newer(row.newer)]],
    "No broadcast node answered.",
  );
  grid.show(rows);
  return grid.box;
}

const record = (one) =>
  el(
    "article",
    {},
    el("h3", {}, `${one.id} on ${one.topic}`),
    el("dl", {}, ...facts(one).flatMap(([name, words]) => [el("dt", {}, name), el("dd", {}, words)])),
    stores(one.stores),
    shown(one.shown),
  );

const field = (id, words, attributes) => [el("label", { for: id }, words), el("input", { id, name: id, autocomplete: "off", spellcheck: "false", ...attributes })];

export function explain() {
  const said = el("p", { class: "dim", role: "status" });
  const found = el("div", {});
  const more = el("button", { type: "button" }, "Show more");
  const form = el("form", { class: "question" }, ...field("explain-id", "Id of the record", { required: "" }), ...field("explain-topic", "Topic on which it came in; without it only memory is searched", {}), el("button", { type: "submit" }, "Explain"));
  let asked = new URLSearchParams();

  async function ask(next) {
    said.textContent = "…";
    more.hidden = true;
    try {
      const body = await answer(`explain?${asked}${next ? `&next=${encodeURIComponent(next)}` : ""}`);
      found.append(...body.records.map(record));
      const silent = body.unanswered.map(({ node, why }) => `; no answer from ${node}: ${why}`).join("");
      said.textContent = (body.because ? `Not known, because ${body.because}` : `${count(found.childElementCount)} shown`) + silent;
      more.hidden = !body.next;
      more.onclick = () => ask(body.next);
    } catch (failure) {
      said.textContent = `The node does not explain it: ${failure.message}`;
    }
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    asked = new URLSearchParams({ id: form.elements["explain-id"].value, topic: form.elements["explain-topic"].value });
    found.replaceChildren();
    ask("");
  });
  more.hidden = true;
  return { box: el("div", {}, form, said, found, more) };
}
