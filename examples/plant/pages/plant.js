"use strict";
// Topics are plant/<hall>/<machine>/<kind>; a square for each of them, coloured by its value.
const KINDS = {
  celsius: {unit: "°C", low: 60, high: 95},
  bar: {unit: "bar", low: 4, high: 6},
  vibration: {unit: "mm/s", low: 1, high: 7.5},
};
const HOUR_US = 3_600e6;
const GAP_US = 60e6; // a line across a longer silence would say what nobody knows

const at = id => document.getElementById(id);
const number = name => Number(/\d+$/.exec(name));
const sensors = new Map(); // topic → {square, kind, value}
const alarms = new Map(); // id → alarm
let chosen = ""; // topic
let points = []; // [time in microseconds, value] of the chosen one

function hall(name) {
  if (!at(name)) {
    at("halls").insertAdjacentHTML("beforeend", `<section><h2></h2><div class="squares"></div></section>`);
    const section = at("halls").lastChild;
    section.id = name;
    section.style.order = number(name);
    section.firstChild.textContent = name;
  }
  return at(name).lastChild;
}

function sensor(topic) {
  let known = sensors.get(topic);
  if (!known) {
    const [, hallName, machine, kind] = topic.split("/");
    const square = document.createElement("button");
    square.style.order = Object.keys(KINDS).indexOf(kind) * 10 + number(machine);
    square.onclick = () => choose(topic);
    hall(hallName).append(square);
    known = {square, kind: KINDS[kind], value: 0};
    sensors.set(topic, known);
  }
  return known;
}

function show({topic, time, data, stale}) {
  const one = sensor(topic);
  const share = (data.value - one.kind.low) / (one.kind.high - one.kind.low);
  one.value = data.value;
  one.square.style.background = `hsl(${210 - 210 * Math.min(Math.max(share, 0), 1)} 75% 50%)`;
  one.square.title = `${topic}: ${data.value} ${one.kind.unit}`;
  one.square.classList.toggle("stale", stale);
  if (topic === chosen && (points.length === 0 || time > points.at(-1)[0])) {
    points.push([time, data.value]);
    plot();
  }
}

async function choose(topic) {
  sensors.get(chosen)?.square.classList.remove("chosen");
  sensor(topic).square.classList.add("chosen");
  chosen = topic;
  points = [];
  const from = new Date(Date.now() - HOUR_US / 1_000).toISOString();
  const answer = await fetch(`/history/${topic}?points=500&fields=value&from=${from}`);
  const past = answer.ok ? await answer.json() : [];
  if (topic === chosen) { // else another was chosen meanwhile
    const live = points.filter(([time]) => past.length === 0 || time > past.at(-1).time);
    points = past.map(({time, data}) => [time, data.value]).concat(live);
    plot();
  }
}

function plot() {
  const {kind, value} = sensor(chosen);
  const last = points.at(-1)?.[0] ?? 0;
  points = points.filter(([time]) => time > last - HOUR_US);
  const width = Math.max(last - (points[0]?.[0] ?? 0), 60e6);
  const path = points.map(([time, y], i) => {
    const isNext = i > 0 && time - points[i - 1][0] < GAP_US;
    const down = (kind.high - y) / (kind.high - kind.low);
    return `${isNext ? "L" : "M"}${1000 - 1000 * (last - time) / width} ${10 + 180 * down}`;
  });
  at("plot").firstChild.setAttribute("d", path.join(""));
  const minutes = Math.round(width / 60e6);
  at("what").textContent = `${chosen}: ${value} ${kind.unit}, and its last ${minutes} min`;
}

function alarm({data}) {
  alarms.delete(data.id);
  if (data.active) {
    alarms.set(data.id, data);
  }
  const newest = [...alarms.values()].slice(-3).reverse();
  at("alarms").replaceChildren(...newest.map(({severity, text}) => {
    const line = document.createElement("li");
    line.className = severity;
    line.textContent = text;
    return line;
  }));
}

const feed = Galop.connect("/live");
feed.onstate = state => {
  at("state").textContent = state;
  document.body.className = state === "live" ? "" : "old";
};
feed.ontopicstale = topic => sensor(topic).square.classList.add("stale");
feed.ontopicfresh = topic => sensor(topic).square.classList.remove("stale");
feed.register("plant/#", {snapshot: true}, show);
feed.register("$alarm/#", {snapshot: true}, alarm);
