// Dead letters of all nodes: why each is here, what it keeps, and how its record is sent in again, mended or not.
import { confirm, post } from "./acts.js";
import { ago, answer, count, el, setText } from "./dom.js";
import { explained } from "./topics.js";

const ROOT = "$dead-letter/";
const MOST = 50;
const SHOWN = 90;
const MOST_CHOSEN = 200; // of one order
const MOST_MENDED = 8192; // characters that the audit log keeps

const clock = () => new Date().toLocaleTimeString();

const when = (timeUs) => new Date(timeUs / 1000).toISOString();

const name = ({ id, record }) => record?.id ?? id;

const records = (n) => `${count(n)} ${n === 1 ? "record" : "records"}`;

const short = (text) => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);

const AGAIN = "through a door again, without the publisher's token, and through all steps from the first";

/** What will happen: what a step refused was never shown, what a store refused has been. */
const says = (letters) => {
  const ofStores = letters.filter(({ stage }) => stage === "store").length;
  const all = letters.length > 1;
  const parts = [];
  if (ofStores < letters.length) parts.push(`${all ? "Each of these records" : "This record"} goes ${AGAIN}, with what its letter keeps: what its publisher sent, and what steps before the one that refused it have added.`);
  if (ofStores > 0) parts.push(`${all ? `${count(ofStores)} of these were` : "This record was"} refused by a store only. With what all steps have made of it, such a record goes ${AGAIN}. It was shown already, and other stores may have it: it is shown again, and stored a second time, under a new id.`);
  parts.push("Each attempt has an id of its own: an attempt that was taken before is acknowledged, but neither stored nor shown again. The audit log names you.");
  return parts.join(" ");
};

/** In words, what became of a letter that was driven. */
const outcome = (one) => {
  if (one.outcome === "acknowledged") return `acknowledged as ${one.sentAs}`;
  if (one.outcome === "acknowledged_unchecked") return `acknowledged as ${one.sentAs}, ${one.why}`;
  return one.outcome === "failed_again" ? `failed again as ${one.sentAs}: ${one.why}` : `${one.outcome}: ${one.why}`;
};

const state = (letter, driven) => {
  if (driven) return driven.words;
  if (!letter.redrivable) return "cannot be redriven: it keeps no whole record";
  return letter.failedAgainAs ? `failed again as ${letter.failedAgainAs}` : "";
};

const CELLS = [
  ["Record of", ({ record }) => record?.topic ?? "–"],
  ["State", (letter, driven) => state(letter, driven)],
  ["Stage", ({ stage, rule }) => `${stage} ${rule}`],
  ["Why", ({ message, reason }) => short(message || reason)],
  ["Event time", ({ timeUs }, _, nowMs) => `${when(timeUs)}, ${timeUs / 1000 > nowMs ? "of the future" : `age ${ago(nowMs - timeUs / 1000)}`}`],
];

const said = ({ acknowledged, acknowledged_unchecked: unchecked, letters }) => `${count(acknowledged + unchecked)} of ${count(letters.length)} acknowledged${unchecked > 0 ? `; of ${count(unchecked)} it is not known whether they failed again` : ""}`;

/** mayAct: whether the buttons are there. */
export function letters(mayAct) {
  const known = new Map(); // letters that are shown, by id
  const driven = new Map(); // what became of them, by id
  const chosen = new Set();
  let next = "";
  let asked = 0;

  const filter = el("input", { id: "letters-filter", autocomplete: "off", spellcheck: "false" });
  const reason = el("input", { id: "letters-reason", autocomplete: "off", spellcheck: "false" });
  const form = el("form", { class: "question" }, el("label", { for: "letters-filter" }, "Stage and rule, such as script/betfair or store/+; nothing for all"), filter, el("label", { for: "letters-reason" }, "Reason, such as script_failed; nothing for any"), reason, el("button", { type: "submit" }, "Find dead letters"));
  const note = el("p", { role: "status" });
  const body = el("tbody");
  const all = el("input", { type: "checkbox", id: "letters-all", "aria-label": "Choose all shown" });
  const heads = ["Record", ...CELLS.map(([head]) => head)].map((head) => el("th", { scope: "col" }, head));
  const grid = el("table", {}, el("caption", { class: "unseen" }, "Dead letters"), el("thead", {}, el("tr", {}, el("th", { scope: "col" }, all), ...heads)), body);
  const list = el("div", { class: "wide topics letters", role: "region", "aria-label": "Dead letters", tabindex: "0" }, grid);
  const more = el("button", { type: "button" }, "Show older ones");
  const redrive = el("button", { type: "button", id: "letters-redrive" }, "Redrive…");
  const full = el("span", { role: "status" });
  const acts = el("p", { class: "acts" }, redrive, more, full);

  const title = el("h3", { tabindex: "-1" });
  const facts = el("dl", {});
  const value = el("pre", { class: "value", tabindex: "0", role: "region", "aria-label": "data of the record" });
  const alone = el("button", { type: "button" }, "Redrive this…");
  const mended = el("button", { type: "button" }, "Mend and redrive…");
  const one = el("article", { id: "letters-chosen" }, title, facts, value, el("p", { class: "acts" }, alone, mended));
  let opened = null;
  list.hidden = one.hidden = more.hidden = redrive.hidden = true;

  function buttons() {
    const may = mayAct();
    setText(redrive, `Redrive ${count(chosen.size)} chosen…`);
    redrive.hidden = !may || known.size === 0;
    redrive.disabled = chosen.size === 0;
    list.classList.toggle("unchoosable", !may);
    const fit = [...known.values()].filter(({ redrivable }) => redrivable);
    all.checked = fit.length > 0 && fit.slice(0, MOST_CHOSEN).every(({ id }) => chosen.has(id));
    const isFull = chosen.size === MOST_CHOSEN && fit.length > MOST_CHOSEN;
    setText(full, isFull ? `${count(MOST_CHOSEN)} are chosen, which is the most at once` : "");
    alone.hidden = mended.hidden = !may || !opened?.redrivable;
    const isLong = opened?.dataCut || opened?.data?.length > MOST_MENDED;
    mended.disabled = Boolean(isLong);
    setText(mended, isLong ? "Too long to be mended here" : "Mend and redrive…");
  }

  /** What became of letters is in their rows, and stays there until they are asked for again. */
  function onDriven(result) {
    for (const each of result.letters ?? []) {
      driven.set(each.id, { words: `${outcome(each)}, ${clock()}`, sentAs: each.sentAs });
      const row = body.querySelector(`tr[data-id="${CSS.escape(each.id)}"]`);
      if (row) setText(row.cells[3], driven.get(each.id).words);
      if (opened?.id === each.id) describe(opened);
    }
  }

  const drive = (title, says, word, ask, order) =>
    confirm(
      title,
      says,
      word,
      ask,
      async (data) => {
        const given = await post("dead-letters/redrive", JSON.stringify(order(data)));
        given.clone().json().then(onDriven, () => {}); // the dialog says that it cannot be read
        return given;
      },
      said,
    );

  redrive.addEventListener("click", () => {
    const ids = [...chosen];
    drive(`Redrive ${records(ids.length)}`, says(ids.map((id) => known.get(id))), "Redrive", [el("p", {}, short(ids.map((id) => name(known.get(id))).join(", ")))], () => ({ ids }));
  });

  alone.addEventListener("click", () => drive(`Redrive ${name(opened)}`, says([opened]), "Redrive", [], () => ({ ids: [opened.id] })));

  mended.addEventListener("click", () => {
    const text = el("textarea", { id: "letters-data", name: "data", rows: "10", spellcheck: "false", required: "" });
    text.value = opened.data;
    const { id } = opened;
    drive(`Mend ${name(opened)} and redrive it`, `${says([opened])} It also has the data below, which the record will have instead of its own, under the same topic and time.`, "Redrive mended", [el("label", { for: "letters-data" }, "Data, a JSON object"), text], (data) => ({ ids: [id], data: data.get("data") }));
  });

  function describe(letter) {
    const attempt = driven.get(letter.id)?.sentAs ?? letter.nextId;
    const rows = [["Refused by", `${letter.stage} ${letter.rule}`], ["Reason", letter.reason], ["Why", letter.message], ["Record", letter.record?.id], ["Topic", letter.record?.topic], ["Event time", when(letter.timeUs)], ["State", state(letter, driven.get(letter.id))]];
    facts.replaceChildren(...rows.filter(([, words]) => words).flatMap(([term, words]) => [el("dt", {}, term), el("dd", {}, words)]));
    if (attempt) facts.append(el("dt", {}, "Next attempt"), el("dd", {}, explained({ id: attempt, topic: letter.record.topic }, `Explain ${attempt}`)));
    value.hidden = letter.data === undefined;
    setText(value, letter.data === undefined ? "" : letter.data + (letter.dataCut ? "… (there is more)" : ""));
  }

  async function open(letter) {
    opened = letter;
    setText(title, name(letter));
    describe(letter);
    one.hidden = false;
    buttons();
    title.focus();
    if (!letter.dataCut && (letter.nextId || !letter.redrivable)) return;
    const found = await answer(`dead-letters?id=${encodeURIComponent(letter.id)}`).catch(() => ({ letters: [] }));
    if (opened !== letter || found.letters.length === 0) return;
    [opened] = found.letters;
    describe(opened);
    buttons();
  }

  function row(letter, nowMs) {
    const tick = el("input", { type: "checkbox", "aria-label": `Choose ${name(letter)}` });
    tick.checked = chosen.has(letter.id);
    tick.disabled = !letter.redrivable;
    tick.addEventListener("change", () => {
      if (tick.checked && chosen.size < MOST_CHOSEN) chosen.add(letter.id);
      else chosen.delete(letter.id);
      tick.checked = chosen.has(letter.id);
      buttons();
    });
    const button = el("button", { type: "button" }, name(letter));
    button.addEventListener("click", () => open(letter));
    const cells = CELLS.map(([, words]) => el("td", {}, words(letter, driven.get(letter.id), nowMs)));
    return el("tr", { "data-id": letter.id }, el("td", {}, tick), el("td", {}, button), ...cells);
  }

  all.addEventListener("change", () => {
    chosen.clear();
    if (all.checked) [...known.values()].filter(({ redrivable }) => redrivable).slice(0, MOST_CHOSEN).forEach(({ id }) => chosen.add(id));
    for (const tick of body.querySelectorAll("input")) tick.checked = chosen.has(tick.closest("tr").dataset.id);
    buttons();
  });

  async function read(before) {
    const mine = ++asked;
    const under = filter.value.trim();
    const topic = under.startsWith(ROOT) ? under : `${ROOT}${under || "#"}`;
    const behind = before ? `&before=${encodeURIComponent(before)}` : "";
    setText(note, "…");
    try {
      const found = await answer(`dead-letters?filter=${encodeURIComponent(topic)}&reason=${encodeURIComponent(reason.value.trim())}&limit=${MOST}${behind}`);
      if (mine !== asked) return;
      if (!before) [known, chosen, driven].forEach((kept) => kept.clear());
      found.letters.forEach((letter) => known.set(letter.id, letter));
      const rows = found.letters.map((letter) => row(letter, Date.now()));
      if (before) body.append(...rows);
      else body.replaceChildren(...rows);
      next = found.before ?? "";
      const without = found.missing.length > 0 ? `; without ${found.missing.join(", ")}` : "";
      const looked = found.looked > found.letters.length ? ` of ${count(found.looked)} looked at` : "";
      setText(note, `${count(known.size)} shown${looked}, the newest first, ${found.more ? "there are older ones" : "no older ones"}, read at ${clock()}${without}`);
      list.hidden = known.size === 0;
      more.hidden = next === "";
    } catch (failure) {
      if (mine === asked) setText(note, `The node does not find them: ${failure.message}`);
    }
    buttons();
  }

  more.addEventListener("click", () => read(next));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    one.hidden = true;
    opened = null;
    read("");
  });
  return {
    box: el("div", {}, form, note, list, acts, one),
    /** They are read once; then whoever looks asks, so that nothing moves under his hand. */
    async ask() {
      if (asked === 0) await read("");
      buttons();
    },
  };
}
