// Viewers that go from node to node: prints what happens to them as JSON lines.
//
//   node leaving-crowd.js COUNT FILTER URL URL…
//
// Each begins at the first URL; when it is sent away it waits as long as it was told and goes on at
// the next with its Positions. Records carry {n, last}: when the last is there, it says how many of
// 0…n never came and which came twice, and whether it was told that all it missed followed.
'use strict';
const SockJS = require('sockjs-client');

const [count, filter, ...urls] = process.argv.slice(2);
let live = 0;

function say(message) {
  console.log(JSON.stringify(message));
}

function viewer(id) {
  const positions = new Map();
  const seen = new Set();
  const twice = [];
  let isComplete = true;
  let place = 0;

  function remember(position) {
    positions.set(position.split('.')[0], position);
  }

  function onRecord(message) {
    const { n, last } = message.body.data;
    remember(message.headers.pos);
    if (seen.has(n)) twice.push(n);
    seen.add(n);
    if (last) {
      let missing = 0;
      for (let i = 0; i <= n; i++) if (!seen.has(i)) missing++;
      say({ type: 'done', id, missing, twice: twice.length, which: twice.slice(0, 9), isComplete });
    }
  }

  function connect() {
    const socket = new SockJS(urls[place % urls.length], null, { transports: ['websocket'] });
    let retryAfterMs = 200;
    let isRefused = true;
    socket.onopen = () => {
      isRefused = false;
      const since = [...positions.values()].join(',');
      socket.send(JSON.stringify({ type: 'register', address: filter, headers: { since } }));
    };
    socket.onmessage = (event) => {
      const message = JSON.parse(event.data);
      if (message.type === 'rec') onRecord(message);
      if (message.type === 'resumed' && place > 0) {
        isComplete = isComplete && message.complete;
        say({ type: 'back', id, complete: message.complete });
      }
      if (message.type === 'live') {
        message.pos.split(',').filter(Boolean).forEach(remember);
        if (place === 0 && ++live === Number(count)) say({ type: 'open' });
      }
      if (message.failureType === 'disconnect') {
        retryAfterMs = message.retryAfterMs;
        say({ type: 'gone', id, code: message.failureCode, retryAfterMs, atMs: Date.now() });
      }
    };
    socket.onclose = () => {
      if (!isRefused) place++;
      setTimeout(connect, retryAfterMs);
    };
  }

  connect();
}

for (let id = 0; id < Number(count); id++) viewer(id);
