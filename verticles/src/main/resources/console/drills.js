// The drills of this node, and who did what to it: what is looked at when a night is over.
import { confirm, post } from "./acts.js";
import { answer, count, el, setText, table } from "./dom.js";

const FAULTS = [
  ["none", "nothing goes wrong"],
  ["doubled", "a record is sent twice"],
  ["lost", "a record is not sent"],
  ["late", "sent while viewers are away"],
  ["silent", "a topic falls silent"],
  ["refused", "enrichment refuses a record"],
];

const when = ({ time }) => new Date(time).toLocaleString();

const relays = ({ relays: all = [] }) => all.map((one) => `${one.relay}: ${one.state}${one.failed?.length ? ` (${one.failed.join(", ")})` : ""}`).join("; ");

const result = (one) => (one.passed ? "passed" : `FAILED at ${one.failures.map(({ stage }) => stage).join(", ")}`);

const found = ({ fault, detected, ledger }) => `${fault === "none" ? "–" : detected ? "yes" : "NO"}${ledger ? `; in the Ledger: ${ledger}` : ""}`;

const why = ({ failures }) => failures.map((one) => `${one.stage}: ${one.why} (${one.meaning})`).join("; ");

const DRILLS = [
  ["Ended", when],
  ["Drill", ({ drill }) => count(drill), "number"],
  ["Result", result],
  ["Planted", ({ fault }) => (fault === "none" ? "nothing" : fault)],
  ["Found", found],
  ["Why", why],
  ["Door", ({ door }) => door],
  ["Viewers", ({ viewers }) => viewers.join(", ")],
  ["Relays", relays],
  ["Took, ms", ({ tookMs }) => count(tookMs), "number"],
];

const SHOWN = 256; // characters of a parameter; the file has the whole

const beginning = (text) => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);

const parameters = (given = {}) => Object.entries(given).map(([name, value]) => `${name}: ${beginning(String(value))}`).join(", ");

const ACTS = [
  ["When", when],
  ["Who", ({ operator, login }) => operator ?? `nobody named (${login})`],
  ["What", ({ action, parameters: given }) => [action, parameters(given)].filter(Boolean).join("; ")],
  ["Outcome", ({ outcome, status, why: said, more }) => [outcome, status, said, more ? `and ${count(more)} more` : ""].filter(Boolean).join(", ")],
  ["By", ({ login, address }) => [login, address].filter(Boolean).join(" from ")],
];

function begin(after) {
  const choice = el("select", { id: "fault", name: "fault" }, ...FAULTS.map(([word, says]) => el("option", { value: word }, `${word}: ${says}`)));
  confirm(
    "Begin a drill",
    "This node sends records of its own on $drill/… the whole way, and plants the fault, which its own viewers have to find; viewers of yours see nothing. It may take a minute. A drill that fails is a warning and an alert. The audit log names you.",
    "Begin",
    [el("label", { for: "fault" }, "Fault to plant"), choice],
    (data) => post(`drills?fault=${encodeURIComponent(data.get("fault"))}`).finally(after),
    ({ drills: [last] }) => (last ? `drill ${last.drill} ${result(last)}${last.fault === "none" ? "; nothing was planted" : ""}` : "see the list"),
  );
}

/** heard: whether the feed has said who looks, and his login if the port asks for one; after: something was ordered. */
export function drills(heard, after) {
  const off = el("p", { class: "dim", role: "status" });
  const button = el("button", { type: "button" }, "Begin a drill…");
  const ended = table("The last drills", DRILLS, "No drill has ended since this node started.");
  const note = el("p", { class: "dim", role: "status" });
  const acts = table("The last acts", ACTS, "Nobody has acted on this node.");
  button.addEventListener("click", () => begin(after));
  button.hidden = true;
  ended.box.hidden = true;
  acts.box.hidden = true;

  async function audit(login) {
    if (login?.role === "viewer") {
      acts.box.hidden = true;
      setText(note, "Who did what is for operators; your login looks.");
      return;
    }
    const { acts: rows, more } = await answer("audit");
    acts.show(rows);
    acts.box.hidden = false;
    setText(note, more ? `The last ${count(rows.length)}; audit.log of the node has those before.` : "");
  }

  return {
    box: el("div", {}, el("p", { class: "acts" }, button), off, ended.box),
    acts: el("div", {}, note, acts.box),
    /** Until it is known who looks, nothing is asked that he may be refused. */
    async ask() {
      const { login, isHeard } = heard();
      if (!isHeard) return;
      const body = await answer("drills");
      ended.show(body.drills);
      ended.box.hidden = false;
      button.hidden = login?.role !== "operator" || Boolean(body.off);
      const may = login?.role === "viewer" ? "To begin a drill takes the role operator. " : "";
      setText(off, may + (body.off ? `This node has no drills: ${body.off}` : body.everyMs > 0 ? `One is run every ${count(body.everyMs / 1000)} s.` : "None is run by itself: drills.everyMs is 0."));
      await audit(login);
    },
  };
}
