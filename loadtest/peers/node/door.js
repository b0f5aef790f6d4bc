// Lines in over TCP; what each becomes for browsers: the words that Galop would send.
"use strict";
const net = require("net");

function record(line, number) {
  const data = line.slice(line.indexOf('"data":') + 7, -1);
  return (
    '{"type":"rec","address":"load/#","body":{"id":"01JD4Q7ZK8M3W5X9-' + number +
    '","time":1732147200000000,"data":' + data +
    '},"headers":{"topic":"load/0","pos":"12.1-' + number + '"}}'
  );
}

exports.listen = function (port, onRecord) {
  let number = 0;
  net
    .createServer(function (socket) {
      let rest = "";
      socket.setEncoding("latin1");
      socket.on("error", () => socket.destroy());
      socket.on("data", function (chunk) {
        const lines = (rest + chunk).split("\n");
        rest = lines.pop();
        lines.forEach((line) => onRecord(record(line, number++)));
      });
    })
    .listen(port, "127.0.0.1");
};

exports.http = function () {
  return require("http").createServer(function (request, response) {
    response.statusCode = request.url === "/ready" ? 200 : 404;
    response.end();
  });
};
