// socket.io over websockets alone, without compression: one emit per message, which encodes it once.
"use strict";
const door = require("./door.js");
const [httpPort, tcpPort] = process.argv.slice(2).map(Number);
const server = door.http();
const { Server } = require("socket.io");
const io = new Server(server, { transports: ["websocket"], perMessageDeflate: false });
server.listen({ port: httpPort, host: "127.0.0.1", backlog: 4096 });
door.listen(tcpPort, (text) => io.emit("rec", text));
