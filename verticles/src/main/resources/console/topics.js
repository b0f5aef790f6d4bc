// Topics by filter or by a part of the name, with their last values; of one also its way through time.
import { ago, answer, count, el, setText, svg } from "./dom.js";

const MOST = 200;
const MOST_FIELDS = 50;
const MOST_DEPTH = 4;
const WIDTH = 600;
const HEIGHT = 140;
const SHOWN = 90;

const clock = () => new Date().toLocaleTimeString();

const cut = (text, isCut) => (isCut || text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);

const when = (timeUs) => new Date(timeUs / 1000).toISOString();

const age = (timeUs, nowMs) => (timeUs / 1000 > nowMs ? "of the future" : ago(nowMs - timeUs / 1000));

/** What an answer is without: nothing missing is passed over in silence. */
function gaps({ unanswered, unowned, whole, cut: isCut }) {
  const silent = unanswered.map(({ node, why }) => `; no answer from ${node}: ${why}`).join("");
  const lost = unowned.length > 0 ? `; nobody answers for ${count(unowned.length)} ${unowned.length === 1 ? "shard" : "shards"}` : "";
  const late = isCut ? "; there was no time for all: these may not be the first" : "";
  return `${silent}${lost}${late}${whole ? "" : "; there may be topics whose values are no longer kept in memory"}`;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null; // it was cut
  }
}

/** The paths of all numbers in some data, as texts that are keys of a Map. */
function numbers(value, path, found) {
  if (typeof value === "number") found.set(JSON.stringify(path), value);
  if (value === null || typeof value !== "object" || path.length >= MOST_DEPTH) return found;
  for (const [name, inner] of Object.entries(value)) {
    if (found.size < MOST_FIELDS) numbers(inner, [...path, name], found);
  }
  return found;
}

const named = (path) => JSON.parse(path).join(".");

/** A plot of a numeric field of the newest records, which somebody chooses. */
function plot() {
  const fields = el("select", { id: "topics-field" });
  const line = svg("path", { class: "line" });
  const picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img" }, svg("path", { class: "grid", d: `M0 8H${WIDTH}M0 ${HEIGHT - 8}H${WIDTH}` }), line);
  const last = el("span", { class: "last" });
  const title = el("span", {});
  const [from, to] = [el("span", {}), el("span", {})];
  const figure = el("figure", {}, el("figcaption", {}, title, last), picture, el("p", { class: "under dim" }, from, to));
  const said = el("p", { class: "dim", role: "status" });
  const choice = el("div", { class: "question" }, el("label", { for: "topics-field" }, "Numeric field"), fields);
  let rows = [];

  function draw() {
    const path = fields.value;
    const points = rows.filter(([, values]) => values.has(path)).map(([timeUs, values]) => [timeUs, values.get(path)]);
    if (points.length === 0) return;
    const values = points.map(([, value]) => value);
    const [least, most] = [Math.min(...values), Math.max(...values)];
    const [begin, end] = [points[0][0], points[points.length - 1][0]];
    const x = (timeUs) => (end === begin ? WIDTH / 2 : ((timeUs - begin) / (end - begin)) * WIDTH).toFixed(1);
    const y = (value) => (most === least ? HEIGHT / 2 : HEIGHT - 8 - ((value - least) / (most - least)) * (HEIGHT - 16)).toFixed(1);
    const only = points.length === 1 ? `h0.1` : ""; // a line of one point has a round end, and no length
    line.setAttribute("d", points.map(([timeUs, value], i) => `${i === 0 ? "M" : "L"}${x(timeUs)} ${y(value)}`).join("") + only);
    setText(title, `${named(path)}, ${count(points.length)} ${points.length === 1 ? "record" : "records"}, ${least} to ${most}`);
    setText(last, String(values[values.length - 1]));
    setText(from, when(begin));
    setText(to, when(end));
    picture.setAttribute("aria-label", `${named(path)}: ${values[values.length - 1]} last, ${least} to ${most} in ${points.length} records`);
  }

  fields.addEventListener("change", draw);
  return {
    box: el("div", { class: "plots one" }, choice, said, figure),
    clear(words) {
      setText(said, words);
      choice.hidden = figure.hidden = true;
    },
    show({ records, more, missing }) {
      const before = fields.value;
      rows = records.map(({ timeUs, data }) => [timeUs, numbers(parsed(data), [], new Map())]).reverse();
      const paths = new Set([...new Set(rows.flatMap(([, values]) => [...values.keys()]))].slice(0, MOST_FIELDS));
      fields.replaceChildren(...[...paths].map((path) => el("option", { value: path }, named(path))));
      if (paths.has(before)) fields.value = before;
      choice.hidden = figure.hidden = paths.size === 0;
      const without = missing.length > 0 ? `; without ${missing.join(", ")}` : "";
      setText(said, `${count(records.length)} newest ${records.length === 1 ? "record" : "records"}${more ? ", there are older ones" : missing.length > 0 ? ", all that those have who answered" : ", all that are kept"}${paths.size === 0 ? ", none with a number" : ""}${without}`);
      draw();
    },
  };
}

const watching = ({ viewers, partial, parts }) => {
  const where = parts.filter((one) => one.viewers > 0).map(({ relay, node, viewers: n }) => `${relay ? `relay ${relay}` : node}: ${count(n)}`);
  return `${partial ? "at least " : ""}${count(viewers)} ${viewers === 1 ? "viewer" : "viewers"}${where.length > 0 ? ` (${where.join(", ")})` : ""}`;
};

/** The tab that explains a record, filled in and asked. */
export function explained({ id, topic }, words = "Explain this record") {
  const link = el("a", { href: "#/explain" }, words);
  link.addEventListener("click", (event) => {
    event.preventDefault();
    document.getElementById("explain-id").value = id;
    document.getElementById("explain-topic").value = topic;
    document.getElementById("tab-explain").click();
    document.getElementById("explain-id").focus();
    document.getElementById("explain-id").form.requestSubmit();
  });
  return link;
}

/** One topic: all of its last value, who watches it and how it went. */
function chosen() {
  const title = el("h3", { tabindex: "-1" });
  const said = el("p", { class: "dim", role: "status" });
  const facts = el("dl", {});
  const value = el("pre", { class: "value", tabindex: "0", role: "region", "aria-label": "last value" });
  const again = el("button", { type: "button" }, "Read again");
  const line = plot();
  const box = el("article", { id: "topics-chosen" }, title, said, facts, value, line.box, el("div", { class: "question" }, again));
  let topic = "";
  let last = 0;

  async function read() {
    const mine = ++last;
    const name = encodeURIComponent(topic);
    const watched = el("dd", {}, "…");
    setText(said, "…");
    line.clear("…");
    const into = (question, show, fail) => answer(question).then((given) => mine === last && show(given), (failure) => mine === last && fail(failure.message));
    await Promise.all([
      into(
        `topics?topic=${name}`,
        (found) => {
          const [one] = found.topics;
          const known = found.unanswered.length === 0 && found.unowned.length === 0;
          setText(said, `${one ? "Read" : known ? "It has no last value" : "Its last value is not known"} at ${clock()}${gaps(found)}`);
          value.hidden = !one;
          facts.replaceChildren();
          if (!one) return;
          setText(value, one.data + (one.dataCut ? "… (there is more)" : ""));
          const rows = [["Id", one.id], ["Position", one.pos], ["Event time", `${when(one.timeUs)}, age ${age(one.timeUs, found.nowMs)}`], ["Owner", one.node]];
          facts.append(...rows.flatMap(([term, words]) => [el("dt", {}, term), el("dd", {}, words)]), el("dt", {}, "Watched by"), watched, el("dt", {}, "More"), el("dd", {}, explained(one)));
        },
        (why) => {
          value.hidden = true;
          facts.replaceChildren();
          setText(said, `The node does not tell its value: ${why}`);
        },
      ),
      into(`presence?topic=${name}`, (counted) => setText(watched, watching(counted)), (why) => setText(watched, `not known: ${why}`)),
      into(`topics/history?topic=${name}`, line.show, (why) => line.clear(`The node does not tell its history: ${why}`)),
    ]);
  }

  again.addEventListener("click", read);
  box.hidden = true;
  return {
    box,
    show(name) {
      topic = name;
      setText(title, name);
      value.hidden = true;
      facts.replaceChildren();
      box.hidden = false;
      title.focus();
      read();
    },
  };
}

/** The topics that were found; the name of each is a button. */
function list(choose) {
  const body = el("tbody");
  const heads = ["Topic", "Last value", "Age", "Id", "Position"].map((name) => el("th", { scope: "col" }, name));
  const grid = el("table", {}, el("caption", { class: "unseen" }, "Topics found"), el("thead", {}, el("tr", {}, ...heads)), body);
  const box = el("div", { class: "wide topics", role: "region", "aria-label": "Topics found", tabindex: "0" }, grid);
  box.hidden = true;
  return {
    box,
    show(topics, nowMs) {
      const rows = topics.map((one) => {
        const button = el("button", { type: "button" }, one.topic);
        button.addEventListener("click", () => choose(one.topic));
        const cells = [cut(one.data, one.dataCut), age(one.timeUs, nowMs), one.id, one.pos].map((text) => el("td", {}, text));
        return el("tr", {}, el("td", {}, button), ...cells);
      });
      body.replaceChildren(...rows);
      box.hidden = rows.length === 0;
    },
  };
}

export function topics() {
  const said = el("p", { role: "status" });
  const one = chosen();
  const found = list(one.show);
  const input = el("input", { id: "topics-words", autocomplete: "off", spellcheck: "false" });
  const form = el("form", { class: "question" }, el("label", { for: "topics-words" }, "Part of a topic's name, or filter with + and #; nothing for all"), input, el("button", { type: "submit" }, "Find topics"));
  let last = 0;

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const mine = ++last;
    const words = input.value || "#"; // a part that is empty would have all of Galop's own first
    const kind = /[+#]/.test(words) ? "filter" : "part"; // no topic has these
    setText(said, "…");
    try {
      const answered = await answer(`topics?${kind}=${encodeURIComponent(words)}&limit=${MOST}`);
      if (mine !== last) return;
      found.show(answered.topics, answered.nowMs);
      const more = answered.matched - answered.topics.length;
      setText(said, `${count(answered.topics.length)} shown${more > 0 ? `, ${answered.cut ? "at least " : ""}${count(more)} more` : ""}, read at ${clock()}${gaps(answered)}`);
    } catch (failure) {
      if (mine !== last) return;
      found.show([], 0);
      setText(said, `The node does not find them: ${failure.message}`);
    }
  });
  return { box: el("div", {}, form, said, found.box, one.box) };
}
