// A feed of which the test is the node, and a SharedWorker with tabs on it, whose ports deliver to a tab when the test
// says so. ClientConformanceIT runs it.
import assert from "node:assert/strict";
import {afterEach, beforeEach, test} from "node:test";
import {connect} from "../dist/index.js";
import {Outbox} from "../dist/outbox.js";
import {openTabs} from "../dist/tabs.js";
import {serveTabs} from "../dist/worker.js";

const FILTER = "race/#";
const OF_THE_PAGE = "a mistake of the page";
const MOST = 1_024; // messages on their way to a tab, as docs/clients.md says

/** The node's side of the worker's connection. */
class Socket {
  static last;
  said = [];

  constructor() {
    Socket.last = this;
  }

  send(text) {
    this.said.push(JSON.parse(text));
  }

  close() {}

  say(message) {
    this.onmessage({data: JSON.stringify({address: FILTER, ...message})});
  }

  record(topic, n) {
    const headers = {topic: `race/${topic}`, pos: `1.1-${n + 1}`};
    this.say({type: "rec", body: {id: `${topic}:${n}`, time: n, data: {n}}, headers});
  }

  live(more) {
    this.say({type: "live", pos: "1.1-0", body: {}, ...more});
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
let feed;
let waiting;
let isFrozen;
let isDelivering = false;

/** What waits goes to the tab, as when the browser wakes it: one message after the other. */
function thaw() {
  isFrozen = false;
  if (!isDelivering) {
    isDelivering = true;
    while (waiting.length > 0) {
      try {
        waiting.shift()();
      } catch (failure) {
        assert.equal(failure.message, OF_THE_PAGE); // a port goes on with the next
      }
    }
    isDelivering = false;
  }
}

beforeEach(async () => {
  const locks = new Set();
  const request = (name, action) => locks.has(name) || action(locks.add(name));
  Object.defineProperty(globalThis, "navigator", {value: {locks: {request}}, configurable: true});
  feed = connect("http://127.0.0.1/live", {webSocket: Socket, shown: false});
  await turn();
  Socket.last.onopen({});
  serveTabs(feed);
  waiting = [];
  isFrozen = false;
});

/** The worker, as one tab has it. */
function join() {
  const port = {start() {}, postMessage: (data) => inWorker.onmessage({data})};
  const inWorker = {
    postMessage(message) {
      const data = structuredClone(message);
      waiting.push(() => port.onmessage({data}));
      if (!isFrozen) {
        thaw();
      }
    },
  };
  globalThis.onconnect({ports: [inWorker]});
  return {port};
}

function assertBounded() {
  assert.ok(waiting.length <= MOST && waiting.length > MOST / 2, `${waiting.length} wait`);
}

afterEach(() => feed.close());

/** A tab that hears all of it. */
function open(options = {}) {
  const heard = {records: [], told: [], topics: [], caps: []};
  heard.subscription = openTabs(join()).subscribe(FILTER, {
    onRecord: (record) => heard.records.push(record),
    onStatus: ({state, reason}) => heard.told.push(reason ? `${state} ${reason}` : state),
    onTopic: ({topic, stale}) => heard.topics.push(`${topic} ${stale}`),
    onCapped: (caps) => heard.caps.push(caps),
    ...options,
  });
  return heard;
}

test("a tab that takes gets each record once, however many", () => {
  const {records, told} = open();
  Socket.last.live();
  for (let n = 0; n < 3 * MOST; n++) {
    Socket.last.record(n % 7, n);
  }
  assert.deepEqual(records.map(({data}) => data.n), [...Array(3 * MOST).keys()]);
  assert.equal(told.at(-1), "live");
  assert.ok(!told.some((each) => each.startsWith("gap")), `${told}`);
});

test("a frozen tab has a bound, is told the gap and gets the newest of each topic", () => {
  const {records, told} = open();
  Socket.last.live();
  Socket.last.record("quiet", 0);
  isFrozen = true;
  for (let n = 1; n <= 5 * MOST; n++) {
    Socket.last.record(n % 7, n);
  }
  assertBounded();
  thaw();
  assert.ok(told.includes("gap slow_consumer"), `${told}`);
  assert.equal(told.at(-1), "live");
  const behind = records.slice(-7);
  assert.deepEqual(behind.map(({data}) => data.n).sort(), [...Array(7).keys()].map((n) => 5 * MOST - n).sort());
  assert.deepEqual(behind.map(({afterGap}) => afterGap), [true, ...Array(6).fill(false)]);
  assert.ok(records.slice(0, -7).every(({afterGap}) => !afterGap));
  assert.deepEqual(records.slice(0, -7).map(({data}) => data.n), [...Array(records.length - 7).keys()]);
  Socket.last.record("quiet", 9_999);
  assert.equal(records.at(-1).id, "quiet:9999");
  assert.equal(records.at(-1).catchingUp, false);
});

test("what a frozen tab has missed nothing of is no gap", () => {
  const {records, told} = open();
  Socket.last.live();
  isFrozen = true;
  for (let n = 0; n < MOST + 50; n++) {
    Socket.last.record(n, n);
  }
  assertBounded();
  thaw();
  assert.equal(records.length, MOST + 50);
  assert.ok(!told.includes("gap slow_consumer"), `${told}`);
});

test("silence, caps and what is lost are told when a tab wakes", () => {
  const {records, told, topics, caps} = open();
  const silence = (topic, type) => Socket.last.say({type, headers: {topic}, body: {}});
  Socket.last.say({type: "capped", body: {maxRate: 2}});
  Socket.last.live();
  silence("race/1", "stale");
  assert.deepEqual(topics, ["race/1 true"]);
  assert.deepEqual(caps, [{maxRate: 2}]);
  isFrozen = true;
  for (let n = 0; n < 2 * MOST; n++) {
    Socket.last.record("9", n);
  }
  silence("race/1", "fresh");
  silence("race/2", "stale");
  Socket.last.say({type: "capped", body: {}});
  Socket.last.say({type: "resumed", complete: false, body: {}});
  Socket.last.record("8", 2 * MOST);
  Socket.last.live();
  thaw();
  assert.deepEqual(caps, [{maxRate: 2}, {}]);
  assert.deepEqual(topics.slice(1).sort(), ["race/1 false", "race/2 true"]);
  assert.deepEqual(told.slice(-3), ["gap slow_consumer", "gap lost", "live"]);
  assert.deepEqual([records.at(-1).id, records.at(-1).afterGap], [`8:${2 * MOST}`, true]);
  assert.equal(records.at(-2).data.n, 2 * MOST - 1, "what one shard has lost is no loss of others");
});

test("a tab that comes later gets a snapshot of any size", () => {
  const first = open();
  for (let n = 0; n < 3 * MOST; n++) {
    Socket.last.record(n, n);
  }
  Socket.last.live();
  isFrozen = true;
  const later = open({onRecord: (record) => later.records.push(record)});
  assertBounded();
  Socket.last.record(3 * MOST - 1, 3 * MOST);
  thaw();
  assert.equal(later.records.length, 3 * MOST);
  assert.equal(later.records.at(-1).data.n, 3 * MOST);
  assert.deepEqual(later.told, ["live"]);
  assert.equal(first.records.length, 3 * MOST + 1);
  assert.equal(first.told.at(-1), "live");
});

test("a loop that must miss nothing ends with slow_consumer", {timeout: 20_000}, async () => {
  const {subscription} = open({onRecord: undefined});
  Socket.last.live();
  isFrozen = true;
  for (let n = 0; n < 2 * MOST; n++) {
    Socket.last.record(1, n);
  }
  thaw();
  await assert.rejects(async () => {
    for await (const _ of subscription);
  }, {reason: "slow_consumer", message: /^the worker has passed over records/});
});

test("what a callback throws at has been taken all the same", () => {
  let last;
  open({
    onRecord({data}) {
      last = data.n;
      throw new Error(OF_THE_PAGE);
    },
  });
  Socket.last.live();
  for (let n = 0; n < 3 * MOST; n++) {
    Socket.last.record(1, n);
  }
  assert.equal(last, 3 * MOST - 1);
});

/** The messages of a type that the client has sent. */
const said = (type) => Socket.last.said.filter((each) => each.type === type);

test("an update that is asked while nothing is heard is said when something is", {timeout: 5_000}, async ({mock}) => {
  mock.timers.enable({apis: ["setTimeout", "setInterval", "Date"], now: 1e12});
  const other = connect("http://127.0.0.1/live", {webSocket: Socket, shown: false});
  await turn();
  Socket.last.onopen({});
  const subscription = other.subscribe(FILTER);
  Socket.last.say({type: "pong"});
  Socket.last.live();
  for (let ms = 0; ms < 5_000; ms += 250) {
    mock.timers.tick(250);
  }
  assert.equal(other.connection.state, "silent");
  const answer = subscription.update({maxRate: 2});
  Socket.last.say({type: "pong"});
  assert.deepEqual(said("update").map(({headers}) => headers), [{maxRate: "2"}]);
  Socket.last.say({type: "updated", body: {}});
  await answer;
  other.close();
  mock.timers.reset(); // before the other feed's are ended
});

test("what is lost before a resume is loaded anew", async () => {
  const {records, told} = open();
  Socket.last.live();
  isFrozen = true;
  for (let n = 0; n < 2 * MOST; n++) {
    Socket.last.record("9", n);
  }
  Socket.last.onclose({code: 1006});
  await turn();
  feed.reconnect();
  await turn();
  Socket.last.onopen({});
  Socket.last.say({type: "resumed", complete: false, body: {}});
  Socket.last.record("8", 2 * MOST);
  Socket.last.live();
  thaw();
  assert.deepEqual(told.slice(-3), ["gap slow_consumer", "gap lost", "live"]);
  assert.equal(records.at(-1).id, `8:${2 * MOST}`);
  assert.ok(records.at(-2).data.n < MOST, "what was lost meanwhile does not come after what follows on it");
  const {records: ofLater} = open();
  assert.deepEqual(ofLater.map(({topic}) => topic), ["race/8"]);
});

test("a tab that comes after a loss of one shard gets the topics of all", () => {
  open();
  Socket.last.record("9", 1);
  Socket.last.live();
  Socket.last.say({type: "resumed", complete: false, body: {}});
  Socket.last.record("8", 2);
  Socket.last.live();
  assert.deepEqual(open().records.map(({topic}) => topic).sort(), ["race/8", "race/9"]);
});

test("a topic that only its record told to be silent is told to be back", () => {
  const {records, topics} = open();
  Socket.last.say({
    type: "rec", body: {id: "1", time: 1, data: {}}, headers: {topic: "race/1", pos: "1.1-1", stale: true},
  });
  Socket.last.live();
  const later = open();
  assert.deepEqual([records[0].stale, later.records[0].stale], [true, true]);
  assert.deepEqual(topics.concat(later.topics), []);
  Socket.last.record("1", 2);
  Socket.last.say({type: "fresh", headers: {topic: "race/1"}, body: {}});
  assert.deepEqual([topics, later.topics], [["race/1 false"], ["race/1 false"]]);
  assert.equal(open().records[0].stale, false);
});

test("what is silent stays so until another connection tells anew", async () => {
  const {told, topics} = open();
  Socket.last.live();
  Socket.last.say({type: "stale", headers: {topic: "race/1"}, body: {}});
  Socket.last.say({type: "resumed", complete: false, body: {}});
  Socket.last.say({type: "stale", body: {reason: "feed"}});
  Socket.last.say({type: "fresh", body: {}});
  assert.equal(told.at(-1), "joining");
  assert.deepEqual([topics, open().topics], [["race/1 true"], ["race/1 true"]]);
  Socket.last.onclose({code: 1006});
  await turn();
  feed.reconnect();
  await turn();
  Socket.last.onopen({});
  assert.deepEqual([topics, open().topics], [["race/1 true", "race/1 false"], []]);
});

test("of topics that are forgotten nothing waits for a tab", () => {
  const [latest, silent] = [new Map(), new Set()];
  const view = {latest, silent, isLoadedAnew: false, isPartial: false, status: {state: "live"}, caps: {}};
  const posted = [];
  const outbox = new Outbox(view, (message) => posted.push(message));
  const change = (topic) => {
    const record = {topic, stale: false, afterGap: false};
    latest.set(topic, record);
    outbox.onRecord(record);
  };
  for (let n = 1; n < MOST; n++) {
    change("filler");
  }
  change("told");
  silent.add("told");
  outbox.onTopic({topic: "told", stale: true});
  for (let n = 0; n < 100; n++) {
    change(`gone/${n}`);
    latest.delete(`gone/${n}`);
    outbox.onForgotten(`gone/${n}`);
  }
  latest.delete("told");
  outbox.onForgotten("told");
  assert.deepEqual([...outbox.due.keys()], ["told"]);
  const before = posted.length;
  outbox.took(MOST);
  const gap = {status: {state: "gap", reason: "slow_consumer"}};
  assert.deepEqual(posted.slice(before), [gap, {topic: {topic: "told", stale: true}}, {status: {state: "live"}}]);
});

test("of a subscription that has ended a tab keeps nothing, and the worker is told", async () => {
  const {port} = join();
  const asked = [];
  const {postMessage} = port;
  port.postMessage = (message) => {
    asked.push(message);
    postMessage(message);
  };
  const [told, records] = [[], []];
  openTabs({port}).subscribe(FILTER, {onStatus: ({state}) => told.push(state), onRecord: (each) => records.push(each)});
  Socket.last.say({type: "err", body: "access_denied", message: "no"});
  assert.equal(told.at(-1), "closed");
  assert.deepEqual(asked.at(-1), {stop: 1});
  for (let n = 0; n < MOST; n++) {
    port.onmessage({data: {to: 1, record: {topic: "race/1"}}});
  }
  assert.deepEqual([records, asked.filter((each) => "took" in each)], [[], []]);
});

test("a tab that asks after the end of the worker's feed is told so", () => {
  feed.close();
  const {subscription, told} = open();
  assert.deepEqual([told, subscription.status.message], [["closed closed"], "the feed is closed"]);
});

test("what answers an update of an earlier subscription is no answer to the next one", {timeout: 5_000}, async () => {
  const registered = () => said("register").length;
  const refuse = (body) => Socket.last.say({type: "err", body, message: body});
  const earlier = async () => {
    const subscription = feed.subscribe(FILTER);
    Socket.last.live();
    const answer = subscription.update({maxRate: 1});
    subscription.close();
    await assert.rejects(answer, {reason: "closed"});
  };
  await earlier();
  const next = feed.subscribe(FILTER);
  let isSettled = false;
  const answer = next.update({maxRate: 2}).then(() => (isSettled = true));
  Socket.last.say({type: "updated", body: {maxRate: 1}});
  await turn();
  assert.deepEqual([isSettled, next.caps], [false, {}]);
  Socket.last.live();
  Socket.last.say({type: "updated", body: {}});
  await answer;
  next.close();

  await earlier();
  const other = feed.subscribe(FILTER);
  const before = registered();
  refuse("invalid_header");
  assert.equal(registered(), before + 1, "which of the two is refused only the node knows");
  Socket.last.live();
  refuse("address_already_registered");
  assert.equal(other.status.state, "live");
  other.close();

  await earlier();
  const wrong = feed.subscribe(FILTER);
  refuse("invalid_header");
  refuse("invalid_header");
  assert.deepEqual([wrong.status.state, wrong.status.reason], ["closed", "invalid_header"]);
});

test("a refusal of an earlier registration does not end the next", async () => {
  const refuse = (body) => Socket.last.say({type: "err", body, message: body});
  feed.subscribe(FILTER, {where: "data."}).close();
  for (let n = 0; n < 2; n++) {
    const next = feed.subscribe(FILTER);
    const before = said("register").length;
    refuse("invalid_header");
    assert.equal(said("register").length, before + 1, "it may be its own");
    next.close();
  }
  const last = feed.subscribe(FILTER);
  refuse("address_already_registered");
  Socket.last.live();
  assert.equal(last.status.state, "live");
});

test("refusals of several earlier registrations do not end the next", () => {
  const refuse = (body) => Socket.last.say({type: "err", body, message: body});
  for (const isAskedTwice of [false, true]) {
    feed.subscribe(FILTER, {where: "data."}).close();
    const second = feed.subscribe(FILTER, {where: "data.n >"});
    if (isAskedTwice) {
      refuse("invalid_header");
    }
    second.close();
    const last = feed.subscribe(FILTER);
    for (let n = 0; n < 2; n++) {
      const before = said("register").length;
      refuse("invalid_header");
      assert.equal(said("register").length, before + 1, "it may be its own");
    }
    Socket.last.live();
    refuse("address_already_registered");
    refuse("address_already_registered");
    assert.equal(last.status.state, "live");
    last.close();
  }
});

test("a refusal that nobody waits for counts once", () => {
  const refuse = () => Socket.last.say({type: "err", body: "invalid_header", message: "m"});
  feed.subscribe(FILTER, {where: "data."}).close();
  refuse();
  const next = feed.subscribe(FILTER, {where: "data."});
  refuse();
  assert.equal(next.status.state, "closed");
});

test("after two gaps in the middle the Positions of other shards are kept", async () => {
  feed.subscribe(FILTER);
  Socket.last.live({pos: "1.1-5,2.1-7"});
  for (let gap = 0; gap < 2; gap++) {
    Socket.last.say({type: "resumed", complete: false, body: {}});
  }
  const comeBack = async () => {
    Socket.last.onclose({code: 1006});
    await turn();
    feed.reconnect();
    await turn();
    Socket.last.onopen({});
    return said("register")[0].headers.since;
  };
  assert.equal(await comeBack(), "1.1-5,2.1-7");
  Socket.last.say({type: "resumed", complete: false, body: {}});
  Socket.last.record("1", 1);
  assert.equal(await comeBack(), "1.1-2", "after a resume in vain the old ones mean nothing");
});

test("the history of levels that are steps of a path is refused", {timeout: 5_000}, async () => {
  for (const filter of ["race/../secret", "./race", "race/."]) {
    await assert.rejects(feed.history(filter).next(), {reason: "invalid_address"}, filter);
  }
});
