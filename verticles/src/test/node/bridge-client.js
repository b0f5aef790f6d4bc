// The unmodified client of the Vert.x event-bus bridge: prints what its handler is given.
//
//   node bridge-client.js URL ADDRESS [PACKAGE]
'use strict';
const [url, address, name] = process.argv.slice(2);
const EventBus = require(name || '@vertx/eventbus-bridge-client.js');
const bus = new EventBus(url);
bus.onopen = () => {
  bus.registerHandler(address, (error, message) => {
    console.log(JSON.stringify(error ? { type: 'err', error } : message));
  });
  console.log(JSON.stringify({ type: 'open' }));
};
bus.onclose = () => process.exit(0);
