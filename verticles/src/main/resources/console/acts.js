// What an operator can do from here. Each act says first what it will do; the node judges and audits it.
import { el } from "./dom.js";

/** Opens a dialog over the page; ask: what is filled in; act: sends it and returns the answer; words: of what was done. */
export function confirm(title, says, word, ask, act, words = (body) => JSON.stringify(body)) {
  const said = el("p", { role: "status" });
  const go = el("button", { type: "submit", class: "act" }, word);
  const cancel = el("button", { type: "button" }, "Close");
  const form = el("form", {}, ...ask, said, el("p", { class: "buttons" }, cancel, go));
  const dialog = el("dialog", { "aria-labelledby": "dialog-title" }, el("h2", { id: "dialog-title" }, title), el("p", {}, says), form);
  cancel.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    go.disabled = true;
    said.textContent = "…";
    try {
      const answer = await act(new FormData(form)).catch(() => {
        throw new Error("the node does not answer");
      });
      const body = await answer.json().catch(() => {
        throw new Error(`its answer (${answer.status}) cannot be read`);
      });
      said.textContent = answer.ok ? `Done: ${words(body)}` : `Not done: ${body.error}`;
      go.disabled = answer.ok;
    } catch (failure) {
      said.textContent = `Nobody knows whether it was done: ${failure.message}. The audit log does.`;
      go.disabled = false;
    }
  });
  document.body.append(dialog);
  dialog.showModal();
}

export const post = (path, body) => fetch(path, { method: "POST", headers: { Accept: "application/json" }, body });

function drain(node) {
  confirm(
    "Drain this node",
    `The node ${node} sends all its viewers to other nodes and takes no new ones, until it is started again. The audit log names you.`,
    "Drain",
    [el("label", {}, el("input", { type: "checkbox", required: "" }), " I want its viewers to leave")],
    () => post("drain"),
  );
}

function disconnect() {
  confirm(
    "Disconnect a viewer",
    "All nodes, and the relays that they dial, end the connections of this subject and refuse the tokens that it has now. The audit log names you.",
    "Disconnect",
    [el("label", { for: "subject" }, "Subject of its token"), el("input", { id: "subject", name: "subject", required: "", autocomplete: "off" })],
    (data) => post("viewers/disconnect", JSON.stringify({ subject: data.get("subject") })),
  );
}

/** Who looks, and the buttons of what he may do. */
export function who(box, login, node) {
  if (!login) {
    box.replaceChildren(el("span", { class: "dim" }, "This port asks for no login, so the console does not act: nobody would be named in the audit log. See management.operators."));
    return;
  }
  box.replaceChildren(el("span", {}, `${login.operator} (${login.role})`));
  if (login.role === "operator") {
    const first = el("button", { type: "button" }, "Drain this node…");
    const second = el("button", { type: "button" }, "Disconnect a viewer…");
    first.addEventListener("click", () => drain(node()));
    second.addEventListener("click", disconnect);
    box.append(first, second, el("span", { class: "dim" }, "Scripts are deployed by galop script deploy."));
  }
}
