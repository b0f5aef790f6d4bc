// When tokens are asked for and sent. ClientConformanceIT runs it.
import assert from "node:assert/strict";
import {test} from "node:test";
import {Door, ViewerSocket} from "../dist/socket.js";
import {Renewal} from "../dist/token.js";

const HOUR_MS = 3_600_000;
const token = (n) => `e30.${btoa(JSON.stringify({n, exp: HOUR_MS / 1000}))}.c2ln`;

test("one token is in flight at a time, for an answer does not say which it is about", async ({mock}) => {
  mock.timers.enable({apis: ["setTimeout", "Date"]});
  const sent = [];
  let asked = 0;
  const renewal = new Renewal(async () => token(++asked), token(0), (each) => sent.push(each));
  const pass = async (ms) => {
    mock.timers.tick(ms);
    await new Promise((resolve) => setImmediate(resolve));
  };
  await pass(0.8 * HOUR_MS);
  assert.deepEqual(sent, [token(1)]);
  await pass(60_000);
  assert.equal(asked, 1, "whoever waits for an answer asks for no other token");
  renewal.answered(false);
  await pass(10_000);
  assert.deepEqual(sent, [token(1), token(2)], "what was refused is followed by the newest");
  renewal.answered(true);
  renewal.answered(false); // to nothing that is in flight
  await pass(10_000);
  assert.equal(sent.length, 2);
  await pass(0.2 * HOUR_MS);
  assert.deepEqual(sent, [token(1), token(2), token(3)]);
  renewal.stop();
});

test("what is no token is not sent, and asked for again", async ({mock}) => {
  mock.timers.enable({apis: ["setTimeout", "Date"]});
  const given = [undefined, "", null, 7, token(1)];
  const sent = [];
  const renewal = new Renewal(async () => given.shift(), token(0), (each) => sent.push(each));
  mock.timers.tick(0.8 * HOUR_MS);
  for (let n = 0; n < 5; n++) {
    await new Promise((resolve) => setImmediate(resolve));
    mock.timers.tick(10_000);
  }
  assert.deepEqual(sent, [token(1)]);
  renewal.stop();
});

test("a token that the node takes for no text is refused, and followed by another", async ({mock}) => {
  mock.timers.enable({apis: ["setTimeout", "Date"]});
  let asked = 0;
  let node;
  const said = [];
  const told = [];
  class Socket {
    constructor() {
      node = this;
    }
    send(text) {
      said.push(JSON.parse(text).headers.token);
    }
    close() {}
  }
  const door = new Door({url: "http://127.0.0.1/live", token: async () => token(asked++), webSocket: Socket});
  const socket = new ViewerSocket(door, (reason) => told.push(reason));
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const refuse = (more) => node.onmessage({data: JSON.stringify({type: "err", body: "invalid_header", message: "", ...more})});
  await turn();
  node.onopen({});
  refuse(); // nothing is in flight
  mock.timers.tick(0.8 * HOUR_MS);
  await turn();
  refuse({address: "race/#"});
  assert.deepEqual([said, told], [[token(1)], []]);
  refuse();
  mock.timers.tick(10_000);
  await turn();
  assert.deepEqual([said, told], [[token(1), token(2)], ["invalid_header"]]);
  socket.close();
});
