// A crowd of viewers in Node.js: orders are JSON lines on standard input, what viewers are told comes
// out as lines {"viewer":…,"message":…}. With sockjs-client for the transports that it has here, and
// plain HTTP for those that it has in browsers only, and for /stream; MQTT.js for mqtt and
// mqtt-websocket.
'use strict';
const readline = require('readline');
const SockJS = require('sockjs-client');
const fs = require('fs');
const path = require('path');
const vm = require('vm');
const viewers = require('./crowd.js');
const { MqttSocket } = require('./mqtt-socket.js');
const { PlainSocket } = require('./plain-transports.js');
const { StreamSocket, OF_STREAMS } = require('./stream-socket.js');

const OF_SOCKJS_CLIENT = ['websocket', 'xhr-streaming', 'xhr-polling'];

function connect(url, transport) {
  if (transport.startsWith('mqtt')) return new MqttSocket(url, transport);
  if (OF_STREAMS.includes(transport)) return new StreamSocket(url, transport);
  return OF_SOCKJS_CLIENT.includes(transport)
    ? new SockJS(url, null, { transports: [transport] })
    : new PlainSocket(url, transport);
}

const script = fs.readFileSync(path.join(__dirname, '../../../../webroot/deltas.js'), 'utf8');
viewers.GalopDeltas = vm.runInThisContext(`${script}; GalopDeltas`);

const act = viewers.crowd(connect, (viewer, message) => console.log(JSON.stringify({ viewer, message })));
const orders = readline.createInterface({ input: process.stdin });
orders.on('line', (line) => act(JSON.parse(line)));
orders.on('close', () => process.exit(0));
