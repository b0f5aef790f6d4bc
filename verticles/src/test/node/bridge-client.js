// The unmodified client of the Vert.x event-bus bridge: prints what its handlers are given, and of
// what it complains.
//
//   node bridge-client.js URL ADDRESS [PACKAGE [REFUSED_ADDRESS]]
'use strict';
const [url, address, name, refused] = process.argv.slice(2);
const EventBus = require(name || '@vertx/eventbus-bridge-client.js');
const print = (message) => console.log(JSON.stringify(message));
console.warn = (text, message) => print({ type: 'warn', text, message });
console.error = (message) => print({ type: 'complaint', message });
const bus = new EventBus(url, { vertxbus_ping_interval: 200 });
bus.onopen = () => {
  bus.registerHandler(address, (error, message) => {
    print(error ? { type: 'err', error } : message);
  });
  if (refused) {
    bus.registerHandler(refused, (error) => print({ type: 'refused', error }));
  }
  print({ type: 'open' });
};
bus.onclose = () => process.exit(0);
