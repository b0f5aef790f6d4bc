// The websocket of the package ws, which offers compression and compresses what it says:
//
//   node deflate-socket.js URL FILTER
//
// prints every message of the server as one JSON line. The registration is longer than it need be, so
// that it is compressed.
'use strict';
const WebSocket = require('ws');

const [url, address] = process.argv.slice(2);
const socket = new WebSocket(url, { perMessageDeflate: { threshold: 0 } });
const print = (message) => console.log(JSON.stringify(message));

socket.on('open', () => {
  print({ type: 'open', extensions: socket.extensions });
  socket.send(JSON.stringify({ type: 'register', address, headers: { words: 'true', why: '0'.repeat(200) } }));
  socket.send('{"type":"ping"}');
});
socket.on('message', (text) => console.log(String(text)));
socket.on('close', (code) => print({ type: 'close', code }));
socket.on('error', (error) => print({ type: 'error', error: String(error) }));
