// Who watches a topic, on all nodes and relays: one question, asked by whoever looks.
import { answer, count, el, setText, table } from "./dom.js";

const named = ({ relay, node }) => (relay ? `relay ${relay}` : `node ${node}`);

const viewers = ({ viewers: n, partial }) => `${partial ? "at least " : ""}${count(n)} ${n === 1 ? "viewer" : "viewers"}`;

export function presence() {
  const said = el("p", { role: "status" });
  const grid = table(
    "Viewers of the topic by node",
    [["Node or relay", named], ["Viewers", (row) => count(row.viewers), "number"], ["Not counted, because", (row) => row.why ?? ""]],
    "No node has viewers.",
  );
  const input = el("input", { id: "presence-filter", required: "", autocomplete: "off", spellcheck: "false" });
  const form = el("form", { class: "question" }, el("label", { for: "presence-filter" }, "Topic, or filter with + and #"), input, el("button", { type: "submit" }, "Count its viewers"));
  let last = 0;

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const filter = input.value;
    const mine = ++last;
    setText(said, "…");
    grid.box.hidden = true;
    let words;
    try {
      const counted = await answer(`presence?filter=${encodeURIComponent(filter)}`);
      if (mine !== last) return;
      grid.show([...counted.missing, ...counted.parts]);
      grid.box.hidden = false;
      words = `${filter}: ${viewers(counted)}, counted at ${new Date().toLocaleString()}`;
    } catch (failure) {
      words = `The node does not count them: ${failure.message}`;
    }
    if (mine === last) setText(said, words);
  });
  grid.box.hidden = true;
  return { box: el("div", {}, form, said, grid.box) };
}
