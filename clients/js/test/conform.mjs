// A viewer as the conformance test runs it, on the package as it is installed: see docs/clients.md.
import {createInterface} from "node:readline";
import {readFileSync} from "node:fs";
import {parseArgs} from "node:util";
import {connect, FeedError} from "galop-client";

const {values, positionals} = parseArgs({
  allowPositionals: true,
  options: {
    "token-file": {type: "string"},
    "max-queue": {type: "string", default: "10000"},
    policy: {type: "string", default: "end"},
  },
});
const [url, filter] = positionals;
const say = (event, more) => console.log(JSON.stringify({event, ...more}));

const file = values["token-file"];
const feed = connect(url, {
  ...(file ? {token: async () => readFileSync(file, "utf8").trim()} : {}),
  onConnection: ({state, code, reason}) => say("connection", {state, code, reason}),
  onToken: (reason) => say("token", {reason}),
});
const subscription = feed.subscribe(filter, {
  snapshot: true,
  queue: {max: Number(values["max-queue"]), policy: values.policy},
  onStatus: (status) => say("status", {state: status.state, reason: status.reason ?? ""}),
  onTopic: (age) => say("topic", age),
  onCapped: ({maxRate, maxBytesPerSecond, lower = []}) => {
    const rates = lower.map((each) => `${each.topics} ${each.maxRate}`).join();
    say("capped", {caps: `${maxRate ?? "-"} ${maxBytesPerSecond ?? "-"} ${rates}`});
  },
});

async function all(pages, of) {
  const read = [];
  for await (const page of pages) {
    read.push(of(page).join() + (page.incomplete && ` without ${page.incomplete}`));
  }
  return read.join(";");
}

async function askPast() {
  const minMax = {fields: ["n"], agg: ["min", "max"]};
  const span = ({topic, data}) => `${topic} ${data.n.min} ${data.n.max}`;
  const [records, rows, points] = await Promise.all([
    all(feed.history(filter, {limit: 3}), (page) => page.records.map(({id}) => id)),
    all(feed.rows(filter, {...minMax, every: "1d", limit: 2}), (page) => page.rows.map(span)),
    all(feed.rows(filter, {fields: ["n"], points: 3}), (page) => page.rows.map(({data}) => data.n)),
  ]);
  try {
    await feed.history(filter, {limit: 0}).next();
  } catch ({reason, code, message}) {
    say("past", {records, rows, points, refusal: `${reason} ${code} ${message}`});
  }
}

function update(wishes) {
  const answer = subscription.update(wishes);
  answer.then(() => say("updated", {reason: ""}), ({reason}) => say("updated", {reason}));
}

let goOn = () => {};
let held = Promise.resolve();
createInterface({input: process.stdin}).on("line", (word) => {
  if (word === "hold") {
    held = new Promise((resolve) => { goOn = resolve; });
    say("held", {});
  } else if (word === "go") {
    goOn();
  } else if (word === "past") {
    void askPast();
  } else if (word === "narrow") {
    update({where: "data.n >= 100", maxRate: 1_000});
  } else if (word === "wrong") {
    update({where: "data."});
  } else if (word === "end") {
    feed.close();
  }
}).on("close", () => process.exit(0));

try {
  for await (const {topic, id, position, catchingUp, afterGap} of subscription) {
    say("record", {topic, id, position, catchingUp, afterGap});
    await held;
  }
  say("end", {reason: ""});
} catch (failure) {
  if (!(failure instanceof FeedError)) {
    throw failure;
  }
  say("end", {reason: failure.reason});
}
