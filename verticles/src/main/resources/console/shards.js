// Which node owns each shard: one card a shard, what is not as it should be in colour.
import { count, el, setText } from "./dom.js";

const list = (names) => (names.length === 0 ? "nobody" : names.join(", "));

/** 0, 1, 2, 5 as 0–2, 5. */
function ranges(numbers) {
  const found = [];
  for (const n of numbers) {
    const last = found[found.length - 1];
    if (last && last[1] === n - 1) last[1] = n;
    else found.push([n, n]);
  }
  return found.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(", ");
}

function owners(shards) {
  const by = new Map();
  for (const { owner, shard } of shards) by.set(owner ?? "", [...(by.get(owner ?? "") ?? []), shard]);
  return [...by].sort(([a], [b]) => a.localeCompare(b)).map(([name, some]) => `${name || "nobody"}: ${count(some.length)} (${ranges(some)})`);
}

const details = (one) =>
  one.owner
    ? `epoch ${one.epoch}, on disk up to ${one.onDisk}, followed by ${list(one.followers)}${one.copy ? `, second copy at ${one.copy}` : ""}`
    : one.due
      ? `due to ${one.due}`
      : "";

export function shards() {
  const said = el("p", { role: "status" });
  const spread = el("ul", { class: "spread" });
  const cards = el("ul", { class: "shards", "aria-label": "Shards and their owners" });
  const box = el("div", {}, said, spread, cards);

  function fit(parent, wanted, make) {
    while (parent.children.length > wanted) parent.lastChild.remove();
    while (parent.children.length < wanted) parent.append(make());
  }

  return {
    box,
    show({ shards: all = [], unanswered }) {
      const owned = all.filter((one) => one.state === "owned").length;
      const silent = unanswered.map(({ node, why }) => `; no answer from ${node}: ${why}`).join("");
      setText(said, all.length === 0 ? "This node reaches none that stores." : `${count(owned)} of ${count(all.length)} shards have an owner${silent}`);
      const lines = owners(all);
      fit(spread, lines.length, () => el("li"));
      lines.forEach((line, i) => setText(spread.children[i], line));
      fit(cards, all.length, () => el("li", {}, el("strong"), el("span", { class: "state" }), el("span", { class: "dim" })));
      all.forEach((one, i) => {
        const card = cards.children[i];
        const [head, state, rest] = card.children;
        card.classList.toggle("wrong", one.state !== "owned");
        setText(head, `${one.shard} → ${one.owner ?? "nobody"}`);
        setText(state, one.state);
        setText(rest, details(one));
      });
    },
  };
}
