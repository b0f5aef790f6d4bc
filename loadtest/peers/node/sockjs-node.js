// sockjs-node, as its own examples use it: one process, one write per message and connection.
"use strict";
const door = require("./door.js");
const [httpPort, tcpPort] = process.argv.slice(2).map(Number);
const connections = new Set();
const endpoint = require("sockjs").createServer({ prefix: "/live", log: function () {} });
endpoint.on("connection", function (connection) {
  if (connection === null) return;
  connections.add(connection);
  connection.on("close", () => connections.delete(connection));
});
const server = door.http();
endpoint.installHandlers(server);
server.listen({ port: httpPort, host: "127.0.0.1", backlog: 4096 });
door.listen(tcpPort, (text) => connections.forEach((connection) => connection.write(text)));
