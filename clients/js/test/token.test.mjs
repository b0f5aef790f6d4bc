// When tokens are asked for and sent. ClientConformanceIT runs it.
import assert from "node:assert/strict";
import {test} from "node:test";
import {Renewal} from "../dist/token.js";

const HOUR_MS = 3_600_000;

test("one token is in flight at a time, for an answer does not say which it is about", async ({mock}) => {
  mock.timers.enable({apis: ["setTimeout", "Date"]});
  const token = (n) => `e30.${btoa(JSON.stringify({n, exp: HOUR_MS / 1000}))}.c2ln`;
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
