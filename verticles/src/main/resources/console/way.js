// The way of a record as a picture: rates on the arrows, and below each stage what waits there.
import { bytes, setText, short, svg } from "./dom.js";

const WIDTH = 960;
const HEIGHT = 270;

// name, title, x, y, width
const STAGES = [
  ["doors", "Doors", 0, 86, 150],
  ["enrich", "Enrichment", 260, 86, 150],
  ["log", "Owners, Log", 520, 86, 150],
  ["stores", "Stores", 790, 10, 170],
  ["viewers", "Broadcast", 790, 162, 170],
];

// name, path, and where its rate stands
const ARROWS = [
  ["taken", "M150 130H252", 205, 118],
  ["enriched", "M410 130H512", 465, 118],
  ["stored", "M670 112H730V54H782", 700, 46],
  ["sent", "M670 148H730V206H782", 700, 226],
];

const some = (count, thing) => `${short(count)} ${thing}${count === 1 ? "" : "s"}`;

export function picture() {
  const cells = new Map();
  const text = (key, x, y, className) => {
    const one = svg("text", { x, y, class: className, "text-anchor": "middle" });
    cells.set(key, one);
    return one;
  };
  const root = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": "the way of a record", class: "way" });
  root.append(
    svg("defs", {}, svg("marker", { id: "head", viewBox: "0 0 8 8", refX: "7", refY: "4", markerWidth: "7", markerHeight: "7", orient: "auto" }, svg("path", { d: "M0 0L8 4L0 8z", class: "head" }))),
  );
  for (const [key, path, x, y] of ARROWS) {
    root.append(svg("path", { d: path, class: "arrow", "marker-end": "url(#head)" }), text(key, x, y, "rate"));
  }
  for (const [key, title, x, y, width] of STAGES) {
    const name = svg("text", { x: x + width / 2, y: y + 28, class: "stage", "text-anchor": "middle" }, title);
    root.append(svg("rect", { x: x + 1, y, width: width - 2, height: 88, rx: 9 }), name);
    root.append(text(`${key}1`, x + width / 2, y + 52, "fact"), text(`${key}2`, x + width / 2, y + 73, "fact"));
  }
  return {
    box: root,
    show(now, rate) {
      const { records, log = {}, browsers = {}, sinks = [], shards = {} } = now;
      const lag = Math.max(0, ...sinks.map((sink) => sink.lagBytes));
      const facts = {
        taken: `${short(rate("records", "taken"))}/s`,
        enriched: `${short(rate("records", "placed"))}/s`,
        stored: `${short(rate("sinks", "stored"))}/s`,
        sent: `${short(rate("browsers", "sent"))}/s`,
        doors1: `${short(records.taken)} taken`,
        doors2: `${short(records.rejected)} rejected`,
        enrich1: `${short(records.enriched)} enriched`,
        enrich2: some(records.deadLetters, "dead letter"),
        log1: `${short(shards.owned)} of ${short(shards.of)} shards`,
        log2: `${bytes(log.queueBytes)} wait`,
        stores1: sinks.length === 0 ? "none" : some(sinks.length, "store"),
        stores2: `${bytes(lag)} behind`,
        viewers1: some(browsers.connections, "viewer"),
        viewers2: `${short(browsers.sent)} sent`,
      };
      Object.entries(facts).forEach(([key, value]) => setText(cells.get(key), value));
      root.setAttribute("aria-label", `The way of a record: ${facts.taken} taken, ${facts.enriched} placed, ${facts.stored} stored, ${facts.sent} sent to ${facts.viewers1}; ${facts.log2} for the disk, stores are ${facts.stores2}`);
    },
  };
}
