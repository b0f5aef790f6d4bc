// Small parts of pages. Text is always set as text, so that no name from a feed becomes markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

export const el = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);

export const svg = (tag, attributes = {}, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

/** What the node answers to a question; fails with words for whoever asked. */
export async function answer(question) {
  const given = await fetch(question).catch(() => {
    throw new Error("it cannot be reached");
  });
  const body = await given.json().catch(() => ({ error: "there is no answer that can be read" }));
  if (!given.ok || !body || body.error) throw new Error(`${body?.error ?? "it does not say why"} (${given.status})`);
  return body;
}

/** Sets a text only when it changed: what is selected stays selected, readers are not disturbed. */
export function setText(element, text) {
  if (element.textContent !== text) {
    element.textContent = text;
  }
}

/**
 * A table that keeps its rows and changes their cells.
 *
 * columns: [head, value of a row as text, "number" or a class]; empty: the words for no rows.
 */
export function table(caption, columns, empty) {
  const body = el("tbody");
  const head = el("tr");
  for (const [name, , kind = ""] of columns) {
    head.append(el("th", { scope: "col", class: kind }, name));
  }
  const none = el("p", { class: "dim" }, empty);
  const grid = el("table", {}, el("caption", { class: "unseen" }, caption), el("thead", {}, head), body);
  const wide = el("div", { class: "wide", role: "region", "aria-label": caption, tabindex: "0" }, grid);
  const box = el("div", {}, wide, none);
  return {
    box,
    show(rows) {
      wide.hidden = rows.length === 0;
      none.hidden = rows.length > 0;
      while (body.rows.length > rows.length) {
        body.lastChild.remove();
      }
      rows.forEach((row, i) => {
        if (!body.rows[i]) {
          body.append(el("tr", {}, ...columns.map(([, , kind = ""]) => el("td", { class: kind }))));
        }
        columns.forEach(([, value], j) => setText(body.rows[i].cells[j], String(value(row))));
      });
    },
  };
}

const WHOLE = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const SHORT = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

export const count = (n) => (n === undefined ? "–" : WHOLE.format(n));

export const short = (n) => (n === undefined || Number.isNaN(n) ? "–" : n > 0 && n < 10 && n % 1 !== 0 ? n.toFixed(1) : n < 10_000 ? WHOLE.format(n) : SHORT.format(n));

export function bytes(n) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  let size = n || 0;
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024;
    unit++;
  }
  return `${size >= 100 || unit === 0 ? Math.round(size) : size.toFixed(1)} ${units[unit]}`;
}

export function ago(ms) {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86400) return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
  return `${Math.floor(seconds / 86400)} d ${Math.floor((seconds % 86400) / 3600)} h`;
}
