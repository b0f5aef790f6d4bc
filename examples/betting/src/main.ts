import {connect, type Status} from "galop-client";

interface Race {
  name: string;
  state: "open" | "in play" | "closed";
  startsAt: number; // milliseconds since 1970
}
interface Runner {
  name: string;
  back: number;
  lay: number;
  traded: number;
}
// What is published on which topics: records of a subscription have these types.
interface Topics {
  "race/+/status": Race;
  "race/+/runner/+": Runner;
}

const MOST_RACES = 50;
const at = (id: string) => document.getElementById(id)!;
const races = new Map<string, Race>();
const silent = new Set<string>(); // races that nothing is heard of
const runners = new Map<string, Map<string, Runner>>(); // race → number → runner
let frame = 0;

const feed = connect<Topics>("/live");
const raceOf = (topic: string) => topic.split("/")[1]!;

feed.subscribe("race/+/status", {
  snapshot: true,
  onRecord({topic, data, stale}) {
    note(raceOf(topic), data, stale);
    paint();
  },
  onTopic({topic, stale}) {
    silent[stale ? "add" : "delete"](raceOf(topic));
    paint();
  },
  onStatus: tell,
});

feed.subscribe("race/+/runner/+", {
  snapshot: true,
  mode: "latest", // a phone that is slow gets the newest price, not all of them late
  onRecord({topic, data}) {
    const race = raceOf(topic);
    const all = runners.get(race) ?? new Map<string, Runner>();
    runners.set(race, all.set(topic.split("/")[3]!, data));
    paint();
  },
});

function note(id: string, race: Race, stale: boolean): void {
  races.delete(id); // those that were heard of last come last
  races.set(id, race);
  silent[stale ? "add" : "delete"](id);
  for (const [old] of [...races].slice(0, -MOST_RACES)) {
    races.delete(old);
    silent.delete(old);
  }
  for (const old of [...runners.keys()].slice(0, -MOST_RACES)) {
    if (!races.has(old)) {
      runners.delete(old);
    }
  }
}

/** How far the page can be believed. What may be old is greyed. */
function tell(status: Status): void {
  at("state").textContent = "reason" in status && status.reason ? `${status.state}: ${status.reason}` : status.state;
  document.body.className = status.state === "live" || status.state === "gap" ? "" : "old";
}

/** At most once a frame, however many records come. */
function paint(): void {
  frame ||= requestAnimationFrame(() => {
    frame = 0;
    const shown = [...races].filter(([id]) => !silent.has(id)).sort(([, a], [, b]) => a.startsAt - b.startsAt);
    const wanted = location.hash.slice(1);
    const chosen = shown.find(([id]) => id === wanted) ?? shown.find(([, race]) => race.state !== "closed") ?? shown[0];
    arrange(at("races"), shown.map(([id, race]) => link(id, race, id === chosen?.[0])));
    at("race").textContent = chosen ? `${chosen[1].name}: ${chosen[1].state}` : "no race is on";
    table(chosen?.[0] ?? "");
  });
}

/** What is there already stays as it is: a click on an element that is put in anew would be lost. */
function arrange(parent: HTMLElement, children: HTMLElement[]): void {
  if (children.length !== parent.childElementCount || children.some((child, i) => child !== parent.children[i])) {
    parent.replaceChildren(...children);
  }
}

function link(id: string, race: Race, isChosen: boolean): HTMLElement {
  const line = document.getElementById(`link-${id}`) as HTMLAnchorElement | null ?? newLink(id, race);
  line.className = isChosen ? "chosen" : "";
  const seconds = Math.round((race.startsAt - Date.now()) / 1_000);
  line.lastElementChild!.textContent = race.state === "open" ? `in ${Math.max(seconds, 0)} s` : race.state;
  return line;
}

function newLink(id: string, race: Race): HTMLAnchorElement {
  const line = document.createElement("a");
  line.id = `link-${id}`;
  line.href = `#${id}`;
  line.append(race.name, document.createElement("small"));
  return line;
}

function table(race: string): void {
  const all = runners.get(race) ?? new Map<string, Runner>();
  const book = [...all.values()].reduce((sum, {back}) => sum + 1 / back, 0);
  const lines = [...all].sort(([, a], [, b]) => a.back - b.back).map(([number, runner]) => {
    const row = document.getElementById(`${race}/${number}`) ?? newRow(`${race}/${number}`);
    const chance = `${Math.round(100 / runner.back / book)} %`;
    const texts = [runner.name, runner.back.toFixed(2), runner.lay.toFixed(2), chance, `${runner.traded}`];
    texts.forEach((text, i) => fill(row.children[i] as HTMLElement, text));
    return row;
  });
  arrange(at("runners"), lines);
}

function newRow(id: string): HTMLElement {
  const row = document.createElement("tr");
  row.id = id;
  ["name", "back", "lay", "chance", "traded"].forEach(kind => row.insertCell().className = kind);
  return row;
}

/** A price flashes as it moves. */
function fill(cell: HTMLElement, text: string): void {
  const isPrice = cell.className.startsWith("back") || cell.className.startsWith("lay");
  if (isPrice && cell.textContent && cell.textContent !== text) {
    const way = Number(text) > Number(cell.textContent) ? "up" : "down";
    cell.classList.add(way);
    requestAnimationFrame(() => requestAnimationFrame(() => cell.classList.remove(way)));
  }
  if (cell.textContent !== text) {
    cell.textContent = text;
  }
}

addEventListener("hashchange", paint);
