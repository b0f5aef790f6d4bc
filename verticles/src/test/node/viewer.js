// A viewer on one SockJS transport: prints every message from the server as one JSON line.
//
//   node viewer.js URL TRANSPORT FILTER [--snapshot] [--since P,P] [--reconnect]
//
// With --reconnect it comes back after a disconnect with the Positions that it has, as a page would. It
// is "open" when it is registered, as the answer to a ping behind the registration says: what is
// published from then on comes.
'use strict';
const SockJS = require('sockjs-client');

const [url, transport, filter, ...flags] = process.argv.slice(2);
const snapshot = flags.includes('--snapshot');
const reconnect = flags.includes('--reconnect');
const positions = new Map();

function remember(position) {
  const [shard, place] = position.split('.');
  const [epoch, offset] = place.split('-').map(Number);
  const known = positions.get(shard);
  if (!known || epoch > known.epoch || (epoch === known.epoch && offset > known.offset)) {
    positions.set(shard, { epoch, offset });
  }
}

function since() {
  return [...positions].map(([shard, at]) => `${shard}.${at.epoch}-${at.offset}`).join(',');
}

function headers() {
  const wanted = { words: 'true' };
  if (snapshot) wanted.snapshot = 'true';
  if (positions.size > 0 || flags.includes('--since')) wanted.since = since();
  return wanted;
}

function connect() {
  const socket = new SockJS(url, null, { transports: [transport] });
  socket.onopen = () => {
    socket.send(JSON.stringify({ type: 'register', address: filter, headers: headers() }));
    socket.send(JSON.stringify({ type: 'ping' }));
  };
  socket.onmessage = (event) => {
    const message = JSON.parse(event.data);
    if (message.type === 'pong') {
      console.log(JSON.stringify({ type: 'open', transport: socket.transport }));
      return;
    }
    if (message.type === 'rec') {
      remember(message.headers.pos);
      message.body.topic = message.headers.topic;
    }
    if (message.type === 'live') message.pos.split(',').filter(Boolean).forEach(remember);
    console.log(JSON.stringify(message));
  };
  socket.onclose = (event) => {
    console.log(JSON.stringify({ type: 'close', code: event.code, reason: event.reason }));
    if (reconnect) setTimeout(connect, 200);
    else process.exit(0);
  };
}

const at = flags.indexOf('--since');
if (at >= 0) flags[at + 1].split(',').filter(Boolean).forEach(remember);
connect();
