// Plots of the last hour: what the node kept at five seconds, and then what the feed brings.
import { bytes, el, setText, short, svg } from "./dom.js";

const WIDTH = 300;
const HEIGHT = 80;
const HOUR_MS = 3_600_000;

// title, figure, whether it is a count that grows, its words
const PLOTS = [
  ["Records taken", "taken", true, (n) => `${short(n)}/s`],
  ["Records rejected", "rejected", true, (n) => `${short(n)}/s`],
  ["Records placed", "placed", true, (n) => `${short(n)}/s`],
  ["Sent to viewers", "sent", true, (n) => `${short(n)}/s`],
  ["Viewers", "connections", false, short],
  ["Latency p99, last stage", "latestP99Us", false, (n) => `${(n / 1000).toFixed(1)} ms`],
  ["Waits for the disk", "logQueueBytes", false, bytes],
  ["Behind in the slowest store", "storeLagBytes", false, bytes],
];

/** The points of a plot: [time, value], where a count becomes a rate; a node that began anew leaves a gap. */
export function points(hour, figure, isCount) {
  const at = hour.figures.indexOf(figure);
  const found = [];
  hour.rows.forEach((row, i) => {
    if (!isCount) {
      found.push([row[0], row[at]]);
    } else if (i > 0) {
      const [before, seconds] = [hour.rows[i - 1][at], (row[0] - hour.rows[i - 1][0]) / 1000];
      if (seconds > 0 && row[at] >= before) found.push([row[0], (row[at] - before) / seconds]);
    }
  });
  return found;
}

export function plots() {
  const box = el("div", { class: "plots" });
  const all = PLOTS.map(([title, figure, isCount, words]) => {
    const line = svg("path", { class: "line" });
    const picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img" }, svg("path", { class: "grid", d: `M0 16H${WIDTH}M0 ${HEIGHT - 1}H${WIDTH}` }), line);
    const last = el("span", { class: "last" });
    const most = el("span", { class: "dim" });
    box.append(el("figure", {}, el("figcaption", {}, el("span", {}, title), last), picture, el("p", { class: "under dim" }, "last hour", most)));
    return { title, figure, isCount, words, line, picture, last, most };
  });
  return {
    box,
    show(hour) {
      if (hour.rows.length === 0) return;
      const end = hour.rows[hour.rows.length - 1][0];
      for (const one of all) {
        const shown = points(hour, one.figure, one.isCount).filter(([time]) => time > end - HOUR_MS);
        const most = Math.max(0, ...shown.map(([, value]) => value));
        const x = (time) => (WIDTH - ((end - time) / HOUR_MS) * WIDTH).toFixed(1);
        const y = (value) => (HEIGHT - 1 - (most === 0 ? 0 : (value / most) * (HEIGHT - 17))).toFixed(1);
        one.line.setAttribute("d", shown.map(([time, value], i) => `${i === 0 ? "M" : "L"}${x(time)} ${y(value)}`).join(""));
        const now = shown.length === 0 ? "–" : one.words(shown[shown.length - 1][1]);
        setText(one.last, now);
        setText(one.most, `most ${one.words(most)}`);
        one.picture.setAttribute("aria-label", `${one.title}: ${now}, at most ${one.words(most)} in the last hour`);
      }
    },
  };
}
