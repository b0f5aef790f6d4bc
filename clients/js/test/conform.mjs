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
});

let goOn = () => {};
let held = Promise.resolve();
createInterface({input: process.stdin}).on("line", (word) => {
  if (word === "hold") {
    held = new Promise((resolve) => { goOn = resolve; });
    say("held", {});
  } else if (word === "go") {
    goOn();
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
