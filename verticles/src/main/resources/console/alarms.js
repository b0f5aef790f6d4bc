// The alarms of all nodes, and what an operator may do about each.
import { confirm, post } from "./acts.js";
import { ago, el, setText } from "./dom.js";

/** As many are shown; the rest is counted. */
export const MOST = 200;

const time = (ms) => new Date(ms).toLocaleString();

const done = ({ changed, refused, incomplete }) =>
  [`${changed} changed`, ...refused.map(({ id, why }) => `${id} was not: ${why}`), ...(incomplete.length ? [`no answer from ${incomplete.join(", ")}`] : [])].join("; ");

function order(act, title, says, word, ask, body, after) {
  const send = async (data) => {
    const answer = await post(`alarms/${act}`, JSON.stringify(body(data)));
    after();
    return answer;
  };
  confirm(title, `${says} The audit log and the alarm's record name you.`, word, ask, send, done);
}

const acknowledge = (id, after) =>
  order("acknowledge", `Acknowledge ${id}`, "Nobody else has to look at it, and nobody more is told of it.", "Acknowledge", [], () => ({ ids: [id] }), after);

const acknowledgeAll = (rule, after) =>
  order("acknowledge", `Acknowledge all of ${rule}`, "All alarms of this rule that stand now are acknowledged, also those that are not shown.", "Acknowledge", [], () => ({ rule }), after);

const unshelve = (id, after) =>
  order("unshelve", `End the shelving of ${id}`, "It is shown and told as before.", "Unshelve", [], () => ({ ids: [id] }), after);

const shelve = (id, after) =>
  order(
    "shelve",
    `Shelve ${id}`,
    "Nobody is told of it until the end.",
    "Shelve",
    [
      el("label", { for: "minutes" }, "Minutes, up to a week"),
      el("input", { id: "minutes", name: "minutes", type: "number", min: "1", max: "10080", value: "30", required: "" }),
      el("label", { for: "reason" }, "Reason"),
      el("input", { id: "reason", name: "reason", maxlength: "500", autocomplete: "off" }),
    ],
    (data) => ({ ids: [id], minutes: Number(data.get("minutes")), reason: data.get("reason") }),
    after,
  );

const CELLS = [
  ["State", (one) => one.state],
  ["Severity", (one) => one.severity],
  ["Alarm", (one) => one.text],
  ["Topic", (one) => one.topic],
  ["Since", (one, now) => `${ago(now - one.since)}, ${time(one.since)}`],
  ["Last changed", (one) => `${time(one.changed)}${one.by ? ` by ${one.by}` : ""}${one.until ? `, until ${time(one.until)}` : ""}`],
];

const isDue = ({ state }) => state === "unacknowledged" || state === "returned";

function button(word, name, act) {
  const one = el("button", { type: "button", "aria-label": `${word} ${name}` }, `${word}…`);
  one.addEventListener("click", act);
  return one;
}

/** mayAct: whether the buttons are there; after: called when something was ordered. */
export function alarms(mayAct, after) {
  const rows = new Map();
  const groups = new Map();
  const list = el("ul", { class: "groups" });
  const body = el("tbody");
  const heads = [...CELLS.map(([name]) => name), "Acts"].map((name) => el("th", { scope: "col" }, name));
  const grid = el("table", {}, el("caption", { class: "unseen" }, "Alarms that stand"), el("thead", {}, el("tr", {}, ...heads)), body);
  const wide = el("div", { class: "wide", role: "region", "aria-label": "Alarms that stand", tabindex: "0" }, grid);
  const said = el("p", { role: "status" });

  function row({ id }) {
    const cells = CELLS.map(() => el("td"));
    const due = button("Acknowledge", id, () => acknowledge(id, after));
    const shelving = button("Shelve", id, () => shelve(id, after));
    const ending = button("Unshelve", id, () => unshelve(id, after));
    return { cells, due, shelving, ending, box: el("tr", {}, ...cells, el("td", { class: "acts" }, due, shelving, ending)) };
  }

  function group({ rule }) {
    const words = el("span");
    const all = button("Acknowledge all of", rule, () => acknowledgeAll(rule, after));
    return { words, all, box: el("li", {}, words, " ", all) };
  }

  /** Keeps what is there, so that the focus stays where it is. */
  function keep(place, known, wanted, name, made, show) {
    const focused = document.activeElement;
    const found = new Set(wanted.map(name));
    for (const [key, one] of known) {
      if (!found.has(key)) {
        one.box.remove();
        known.delete(key);
      }
    }
    wanted.forEach((each, i) => {
      const key = name(each);
      if (!known.has(key)) known.set(key, made(each));
      const one = known.get(key);
      show(one, each);
      if (place.children[i] !== one.box) place.insertBefore(one.box, place.children[i] ?? null);
    });
    if (focused !== document.activeElement && place.contains(focused)) focused.focus({ preventScroll: true });
  }

  return {
    box: el("div", {}, said, list, wide),
    show(answer) {
      const acts = mayAct();
      const now = Date.now();
      keep(list, groups, answer.groups, (one) => one.rule, group, (one, { rule, severity, count, unacknowledged }) => {
        setText(one.words, `${rule} (${severity}): ${count} stand, ${unacknowledged} to be acknowledged`);
        one.all.hidden = !acts || unacknowledged === 0;
      });
      keep(body, rows, answer.alarms, (one) => one.id, row, (one, alarm) => {
        CELLS.forEach(([, words], i) => setText(one.cells[i], words(alarm, now)));
        one.box.className = `${alarm.severity} ${alarm.state}`;
        one.due.hidden = !acts || !isDue(alarm);
        one.shelving.hidden = !acts || alarm.state === "shelved";
        one.ending.hidden = !acts || alarm.state !== "shelved";
      });
      wide.hidden = answer.alarms.length === 0;
      const words = [answer.alarms.length === 0 ? "No alarm stands." : `${answer.alarms.length} shown${answer.left > 0 ? `, ${answer.left} more: galop alarm list` : ""}.`];
      if (answer.incomplete.length > 0) words.push(`No answer from ${answer.incomplete.join(", ")}: their alarms are missing.`);
      setText(said, words.join(" "));
    },
  };
}
