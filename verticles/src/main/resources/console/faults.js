// What is wrong now, on all nodes: where, what it means for people, what to do. What keeps people out comes first.
import { ago, el, setText } from "./dom.js";

const MOST_RULES = 5;
const LEVELS = ["unready", "refusing", "critical", "warning"];
const SEVERITIES = ["critical", "high", "medium", "low"];

const plain = (text) => text.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/[*`]/g, "").replace(/\s+/g, " ").trim();

/** The runbook by the titles of its sections: what something means, and the steps. */
function sections(text) {
  const found = new Map();
  for (const part of text.split(/^## /m).slice(1)) {
    const [title, ...lines] = part.split("\n");
    const [means, ...rest] = lines.join("\n").trim().split("\n\n");
    found.set(title.trim(), { means: plain(means), steps: rest.join("\n").split(/^\* /m).map(plain).filter(Boolean) });
  }
  return found;
}

/** One fault for all nodes that name it. */
function joined(byNode, unanswered, rules) {
  const faults = new Map();
  const add = (key, node, { level, what, advice = "", runbook, sinceMs, keeps = [] }) => {
    if (!faults.has(key)) faults.set(key, { key, level, runbook, advice, sinceMs, keeps, told: new Map() });
    const one = faults.get(key);
    if (sinceMs < one.sinceMs) one.sinceMs = sinceMs;
    one.told.set(what, [...(one.told.get(what) ?? []), node]);
  };
  for (const { node, why, reason } of unanswered) {
    // One that is older, busy or starting is no node to start again.
    const isSilent = reason === "no_answer";
    add(`silent ${node}`, node, isSilent ? { level: "unready", what: `it does not answer: ${why}`, runbook: "GalopDown" } : { level: "warning", what: `it does not tell its conditions: ${why}`, runbook: "GalopWarning" });
  }
  for (const [node, conditions] of byNode) {
    for (const one of conditions) add(`${one.level} ${one.part}`, node, { ...one, what: `${one.part}: ${one.what}` });
  }
  const worst = SEVERITIES.find((one) => rules.some(({ severity }) => severity === one));
  const alarm = (what) => add("alarms", "your rules", { level: worst === "critical" ? "critical" : "warning", what, advice: "see the tab Alarms" });
  const bySeverity = [...rules].sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
  for (const { rule, severity, count, unacknowledged } of bySeverity.slice(0, MOST_RULES)) {
    alarm(`${rule} (${severity}): ${count} stand, ${unacknowledged} to be acknowledged`);
  }
  if (rules.length > MOST_RULES) alarm(`and ${rules.length - MOST_RULES} more, see the tab Alarms`);
  const rank = ({ level }) => LEVELS.indexOf(level);
  return [...faults.values()].sort((a, b) => rank(a) - rank(b) || (a.sinceMs ?? 0) - (b.sinceMs ?? 0) || a.key.localeCompare(b.key));
}

function lines(parent, wanted, tag) {
  while (parent.children.length > wanted.length) parent.lastChild.remove();
  while (parent.children.length < wanted.length) parent.append(el(tag));
  wanted.forEach((text, i) => setText(parent.children[i], text));
}

function item() {
  const told = el("div");
  const means = el("span");
  const advice = el("span");
  const title = el("summary");
  const steps = el("ul");
  const runbook = el("details", {}, title, steps);
  const since = el("span", { class: "dim" });
  return { told, means, advice, title, steps, runbook, since, box: el("li", {}, told, means, advice, runbook, since) };
}

function say(element, text) {
  setText(element, text);
  element.hidden = text === "";
}

function show(one, fault, book, now) {
  const { level, runbook, advice, sinceMs, keeps, told } = fault;
  const section = book.get(runbook);
  one.box.className = level;
  lines(one.told, [...told].map(([what, nodes]) => `${nodes.join(", ")}: ${what}`), "strong");
  say(one.means, section ? `For people: ${section.means}` : "");
  say(one.advice, advice && `Do: ${advice}`);
  one.runbook.hidden = !section;
  setText(one.title, `Runbook: ${runbook}`);
  lines(one.steps, section?.steps ?? [], "li");
  say(one.since, [sinceMs ? `since ${ago(now - sinceMs)}` : "", keeps.length ? `affects ${keeps.join(" and ")}` : ""].filter(Boolean).join(", "));
}

export function faults() {
  const said = el("p", { role: "status" });
  const list = el("ul", { class: "conditions" });
  const items = new Map();
  let others = null;
  let own = null;
  let rules = [];
  let book = new Map();

  function draw() {
    const byNode = new Map((others?.nodes ?? []).map(({ node, conditions }) => [node, conditions]));
    if (own) byNode.set(own.node, own.conditions);
    const unanswered = (others?.unanswered ?? []).filter(({ node }) => node !== own?.node);
    const found = joined(byNode, unanswered, rules);
    const keys = new Set(found.map(({ key }) => key));
    for (const [key, one] of items) {
      if (keys.has(key)) continue;
      one.box.remove();
      items.delete(key);
    }
    found.forEach((fault, i) => {
      if (!items.has(fault.key)) items.set(fault.key, item());
      const one = items.get(fault.key);
      show(one, fault, book, own?.timeMs ?? Date.now());
      if (list.children[i] !== one.box) list.insertBefore(one.box, list.children[i] ?? null);
    });
    list.hidden = found.length === 0;
    const asked = [...byNode.keys(), ...unanswered.map(({ node }) => node)].sort();
    if (!others) setText(said, "The other nodes are being asked.");
    else setText(said, `${found.length || "Nothing"} found; asked: ${asked.join(", ")}.`);
  }

  return {
    box: el("div", {}, said, list),
    /** What the feed brings of this node. */
    show(now) {
      own = now;
      draw();
    },
    /** The alarms that stand by rules of the user's. */
    alarms({ groups }) {
      rules = groups;
      draw();
    },
    /** What all nodes have answered. */
    async all(answer) {
      others = answer;
      if (book.size === 0) {
        const given = await fetch("console/runbook.md").catch(() => null);
        if (given?.ok) book = sections(await given.text());
      }
      draw();
    },
  };
}
