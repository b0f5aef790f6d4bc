// Viewers of all nodes: how they are found, what became of their records, and the last messages of one.
import { confirm, post } from "./acts.js";
import { ago, answer, bytes, count, el, setText } from "./dom.js";

const MOST = 100;
const AGAIN_MS = 2_000;

const BY = [
  ["anything", "anything of these"],
  ["subject", "the subject of its token"],
  ["address", "its address"],
  ["id", "the id of its connection"],
  ["filter", "the text of its filters"],
  ["topic", "what it is sent: a topic, or a filter"],
];

const clock = () => new Date().toLocaleTimeString();

const named = ({ subject, address, id }) => subject || address || id;

const filters = ({ filters: first, registrations: all }) => (all === 0 ? "none" : `${first.join(" ")}${all > first.length ? ` and ${count(all - first.length)} more` : ""}`);

const COLUMNS = [
  ["Node", ({ node }) => node],
  ["Dropped", ({ dropped }) => count(dropped), "number"],
  ["Gaps", ({ gaps }) => count(gaps), "number"],
  ["Waiting", ({ waiting }) => count(waiting), "number"],
  ["Conflated", ({ conflated }) => count(conflated), "number"],
  ["Sent", ({ sent }) => count(sent), "number"],
  ["Connected", ({ connectedMs }) => ago(connectedMs)],
  ["By", ({ transport }) => transport],
  ["Filters", filters],
];

const FACTS = [
  ["Connection", ({ id, node }) => `${id} at ${node}`],
  ["Subject", ({ subject }) => (subject === undefined ? "shown to operators" : subject || "none")],
  ["Address", ({ address }) => address || "not known: each request comes on its own"],
  ["Since", ({ connectedMs, transport }) => `${ago(connectedMs)}, by ${transport}`],
  ["Filters", filters],
  ["Published for it", ({ published }) => `${count(published)} records`],
  ["Sent", ({ sent, merged }) => `${count(sent)}, of these ${count(merged)} with another in one write`],
  ["Lost", ({ dropped, gaps }) => `${count(dropped)} dropped, ${count(gaps)} gaps`],
  ["Conflated", ({ conflated }) => `${count(conflated)} gave way to newer ones of their topic`],
  ["Behind", ({ waiting, waitingBytes, behindRecords }) => `${count(waiting)} records wait, ${bytes(waitingBytes)} in its outbox, ${count(behindRecords)} behind the ring's end`],
];

const silent = ({ unanswered }) => unanswered.map(({ node, why }) => `; no answer from ${node}: ${why}`).join("");

/** What is handed to a connection may wait there: for the next poll, for an acknowledgement, for a socket that nobody reads. */
const left = ({ waitingBytes: size }) => (size > 0 ? `; ${bytes(size)}, the newest, have not left the node` : "; all have left the node");

/** What one viewer is sent, read again and again for as long as it is in sight. */
function frames(facts) {
  const said = el("p", { class: "dim", role: "status" });
  const list = el("ol", { class: "frames", "aria-label": "Its last messages, the newest first" });
  const stop = el("button", { type: "button" }, "Look no longer");
  const box = el("div", {}, el("p", { class: "acts" }, stop), said, list);
  let looks = 0;

  function show({ frames: all, written, missed, ended, viewer }, one) {
    facts({ ...one, ...viewer });
    setText(
      said,
      `${count(written)} messages handed to its connection since you look${ended ? "; it has ended" : left(viewer)}${missed ? `; some of ${count(missed)} writes could not be kept` : ""}, read at ${clock()}`,
    );
    list.replaceChildren(
      ...all.map(({ number, timeMs, bytes: size, text, cut }) =>
        el("li", { value: number }, el("span", { class: "dim" }, `${new Date(timeMs).toLocaleTimeString()}, ${count(size)} bytes`), el("pre", { class: "value" }, text + (cut ? "… (there is more)" : ""))),
      ),
    );
  }

  async function follow(one, look, mine) {
    while (mine === looks && box.isConnected) {
      if (box.offsetParent !== null && !document.hidden) {
        try {
          const told = await answer(`viewers/frames?node=${encodeURIComponent(one.node)}&look=${encodeURIComponent(look)}`);
          if (mine !== looks) return;
          show(told, one);
        } catch (failure) {
          if (mine === looks) setText(said, `The node tells no more: ${failure.message}`);
          return;
        }
      }
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }

  function end() {
    looks++;
    list.replaceChildren();
    box.hidden = true;
  }

  stop.addEventListener("click", end);
  box.hidden = true;
  return {
    box,
    end,
    begin(one, look) {
      end();
      setText(said, "…");
      box.hidden = false;
      follow(one, look, looks);
    },
  };
}

/** Ids are of one node: another may have given the same. */
const isSame = (one, other) => one.node === other.node && one.id === other.id;

const order = ({ node, id }) => JSON.stringify({ node, id });

function look(one, begin) {
  confirm(
    "Look at what this viewer is sent",
    `The node ${one.node} keeps the beginnings of the last 50 messages to ${named(one)}, while you look and half a minute longer. They may be private. The audit log names you and the viewer.`,
    "Look",
    [],
    () => post("viewers/frames", order(one)),
    (body) => {
      begin(body.look);
      return "they stand below its figures";
    },
  );
}

function endConnection(one) {
  confirm(
    "End this connection",
    `The node ${one.node} ends the connection ${one.id} of ${named(one)}, which may come back. Its tokens stay good. The audit log names you.`,
    "End it",
    [],
    () => post("viewers/disconnect", order(one)),
    () => "it is ended",
  );
}

function disconnect(one) {
  confirm(
    "Disconnect this viewer",
    `All nodes, and the relays that they dial, end all connections of ${one.subject} and refuse the tokens that it has now. The audit log names you.`,
    "Disconnect",
    [],
    () => post("viewers/disconnect", JSON.stringify({ subject: one.subject })),
    ({ ended }) => `${count(ended)} connections ended`,
  );
}

/** The one that was chosen. */
function chosen(mayAct) {
  const title = el("h3", { tabindex: "-1" });
  const facts = el("dl");
  const show = (one) => facts.replaceChildren(...FACTS.flatMap(([term, words]) => [el("dt", {}, term), el("dd", {}, words(one))]));
  const last = frames(show);
  const buttons = el("p", { class: "acts" });
  const said = el("p", { class: "dim", role: "status" });
  const box = el("article", { id: "viewers-chosen" }, title, said, facts, buttons, last.box);
  let shown = 0;

  const button = (words, act) => {
    const made = el("button", { type: "button" }, words);
    made.addEventListener("click", act);
    return made;
  };

  async function again(one) {
    const mine = shown;
    try {
      const { viewers, unanswered } = await answer(`viewers?by=id&find=${encodeURIComponent(one.id)}&limit=${MOST}`);
      if (mine !== shown) return;
      const now = viewers.find((other) => isSame(one, other));
      if (now) show(now);
      setText(said, now ? `Read at ${clock()}` : unanswered.some(({ node }) => node === one.node) ? `Its node does not answer${silent({ unanswered })}` : `Gone, as of ${clock()}: these are its last figures`);
    } catch (failure) {
      if (mine === shown) setText(said, `The node does not tell: ${failure.message}`);
    }
  }

  box.hidden = true;
  return {
    box,
    show(one) {
      const mine = ++shown;
      last.end();
      setText(title, named(one));
      setText(said, `Read at ${clock()}`);
      show(one);
      buttons.replaceChildren(button("Read its figures again", () => again(one)));
      if (mayAct()) {
        buttons.append(button("Look at its messages…", () => look(one, (key) => mine === shown && last.begin(one, key))), button("End this connection…", () => endConnection(one)));
        if (one.subject) buttons.append(button("Disconnect its subject…", () => disconnect(one)));
      }
      box.hidden = false;
      title.focus();
    },
  };
}

/** The viewers that were found; the name of each is a button. */
function list(choose) {
  const body = el("tbody");
  const heads = [["Viewer"], ...COLUMNS].map(([name, , kind = ""]) => el("th", { scope: "col", class: kind }, name));
  const grid = el("table", {}, el("caption", { class: "unseen" }, "Viewers found"), el("thead", {}, el("tr", {}, ...heads)), body);
  const box = el("div", { class: "wide topics", role: "region", "aria-label": "Viewers found", tabindex: "0" }, grid);
  box.hidden = true;
  return {
    box,
    show(viewers) {
      const rows = viewers.map((one) => {
        const button = el("button", { type: "button" }, named(one));
        button.addEventListener("click", () => choose(one));
        return el("tr", {}, el("td", {}, button), ...COLUMNS.map(([, words, kind = ""]) => el("td", { class: kind }, words(one))));
      });
      body.replaceChildren(...rows);
      box.hidden = rows.length === 0;
    },
  };
}

/** mayAct: whether who looks may act. */
export function finder(mayAct) {
  const said = el("p", { role: "status" });
  const one = chosen(mayAct);
  const found = list(one.show);
  const input = el("input", { id: "viewers-words", autocomplete: "off", spellcheck: "false" });
  const by = el("select", { id: "viewers-by" }, ...BY.map(([word, says]) => el("option", { value: word }, says)));
  const form = el("form", { class: "question" }, el("label", { for: "viewers-words" }, "Part of a viewer's subject, address or filters, or its connection's id; nothing for all"), input, el("label", { for: "viewers-by" }, "Look in"), by, el("button", { type: "submit" }, "Find viewers"));
  let last = 0;

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const mine = ++last;
    setText(said, "…");
    try {
      const told = await answer(`viewers?find=${encodeURIComponent(input.value)}&by=${by.value}&limit=${MOST}`);
      if (mine !== last) return;
      found.show(told.viewers);
      const more = told.matched - told.viewers.length;
      setText(said, `${count(told.viewers.length)} shown${more > 0 ? `, ${count(more)} more with less harm` : ""}, of ${count(told.connections)} connections, read at ${clock()}${told.subjects ? "" : "; subjects are for operators"}${silent(told)}`);
    } catch (failure) {
      if (mine !== last) return;
      found.show([]);
      setText(said, `The node does not find them: ${failure.message}`);
    }
  });
  return { box: el("div", { id: "viewers-found" }, form, said, found.box, one.box) };
}
