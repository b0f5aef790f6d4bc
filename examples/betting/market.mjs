// A simulated market: four races, eight runners each, some hundred prices a second, published by HTTP.
const PORT = process.env.GALOP_HTTP_PORT ?? "8080";
const RACES = 4, OPEN_SECONDS = 90, RUN_SECONDS = 30, CLOSED_SECONDS = 10, TICK_MS = 200;
const PLACES = ["Ascot", "Epsom", "Kempton", "York"];
const NAMES = "Amber Arrow Bold Breeze Cloud Comet Dancer Echo Falcon Glory Harbour Iron Jester King Lark Moon".split(" ");

let number = 0;
const run = Date.now().toString(36); // ids are given once for ever
const pick = list => list[Math.floor(Math.random() * list.length)];
const round = odds => Number(odds.toPrecision(3));

class Race {
  constructor(lane, now) {
    this.id = `${run}${number++}`;
    this.startsAt = now + (10 + lane * OPEN_SECONDS / RACES) * 1_000;
    this.name = `${PLACES[lane]}, ${new Date(this.startsAt).toTimeString().slice(0, 5)}`;
    this.runners = Array.from({length: 8}, (_, i) => ({
      name: `${pick(NAMES)} ${pick(NAMES)} ${i + 1}`, strength: Math.random() - 0.5, traded: 0,
    }));
  }

  state(now) {
    const seconds = (now - this.startsAt) / 1_000;
    return seconds < 0 ? "open" : seconds < RUN_SECONDS ? "in play" : "closed";
  }

  isOver(now) {
    return now > this.startsAt + (RUN_SECONDS + CLOSED_SECONDS) * 1_000;
  }

  /** The records of a tick: the status, and each runner whose price moves. */
  records(now) {
    const state = this.state(now);
    const records = [{topic: `race/${this.id}/status`, data: {name: this.name, state, startsAt: this.startsAt}}];
    if (state === "closed") {
      return records;
    }
    const restless = state === "in play" ? 0.5 : 0.05;
    const total = this.runners.reduce((sum, {strength}) => sum + Math.exp(strength), 0);
    this.runners.forEach((runner, i) => {
      runner.strength += (Math.random() - 0.5) * restless;
      if (Math.random() < 0.5) {
        const odds = Math.max(total / Math.exp(runner.strength), 1.02);
        runner.traded += Math.round(Math.random() * 100);
        const data = {name: runner.name, back: round(odds * 0.99), lay: round(odds * 1.01), traded: runner.traded};
        records.push({topic: `race/${this.id}/runner/${i + 1}`, data});
      }
    });
    return records;
  }
}

/** Sends until the node has all on disk; by the ids it knows what it has already. */
async function publish(records) {
  const lines = records.map(record => JSON.stringify({id: `${run}${number++}`, ...record})).join("\n");
  const headers = {"Content-Type": "application/x-ndjson"};
  for (;;) {
    try {
      const answer = await fetch(`http://127.0.0.1:${PORT}/publish`, {method: "POST", headers, body: lines});
      if (answer.status === 202) {
        (await answer.json()).rejected.forEach(one => console.error("market: rejected", one));
        return;
      }
      console.error(`market: the node answers ${answer.status} ${await answer.text()}`);
      if (answer.status === 400 || answer.status === 413) {
        return; // it would be refused again
      }
    } catch {
      // The node is away, or not up yet.
    }
    await new Promise(done => setTimeout(done, 500));
  }
}

const races = Array.from({length: RACES}, (_, lane) => new Race(lane, Date.now()));
for (;;) {
  const next = Date.now() + TICK_MS;
  races.forEach((race, lane) => {
    if (race.isOver(Date.now())) {
      races[lane] = new Race(lane, Date.now() + OPEN_SECONDS / 2 * 1_000);
    }
  });
  await publish(races.flatMap(race => race.records(Date.now())));
  await new Promise(done => setTimeout(done, Math.max(0, next - Date.now())));
}
