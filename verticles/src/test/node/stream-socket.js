// GET /stream/{filter} as programs and EventSource use it, with the events and methods of a SockJS
// socket: each registration is a response of its own.
'use strict';
const http = require('http');

/** Transport → what it accepts, and how one message stands in a response. */
const READERS = {
  sse: { accept: 'text/event-stream', end: '\n\n', read: dataOfEvent },
  ndjson: { accept: 'application/x-ndjson', end: '\n', read: (line) => line },
};
const OF_THE_CONNECTION = ['open', 'pong', 'end'];

/** The data of an event; nothing, where it has none (HTML, 9.2.6). */
function dataOfEvent(event) {
  return event.split('\n').filter((line) => line.startsWith('data: ')).map((line) => line.slice(6)).join('\n');
}

class StreamSocket {
  constructor(url, transport) {
    this.transport = transport;
    this.reader = READERS[transport];
    this.url = new URL(url);
    this.requests = [];
    this.code = 1006;
    this.get('/live/info' + this.url.search, {}, (answer) => {
      answer.resume();
      if (answer.statusCode === 200) this.onopen();
      else this.end(1006, `status ${answer.statusCode}`);
    });
  }

  get(path, headers, answered) {
    const request = http.get(new URL(path, this.url), { headers, agent: false }, (answer) => {
      answer.on('error', (error) => this.end(1006, String(error.code)));
      if (!this.isEnded) answered(answer);
    });
    request.on('error', (error) => this.end(1006, String(error.code)));
    this.requests.push(request);
  }

  /** A registration; an EventSource says where it was in a header. */
  send(text) {
    const { type, address, headers = {} } = JSON.parse(text);
    if (type !== 'register') return;
    const wanted = new URLSearchParams(this.url.search);
    const sent = { Accept: this.reader.accept };
    Object.entries(headers).filter(([, value]) => value !== undefined).forEach(([name, value]) => {
      if (name === 'since' && value && this.transport === 'sse') sent['Last-Event-ID'] = value;
      else wanted.set(name, value);
    });
    const path = address.split('/').map(encodeURIComponent).join('/');
    this.get(`/stream/${path}?${wanted}`, sent, (answer) => this.read(answer, address));
  }

  read(answer, address) {
    let text = '';
    answer.setEncoding('utf8');
    if (answer.statusCode !== 200) {
      answer.on('data', (part) => { text += part; });
      answer.on('end', () => this.hear({ type: 'err', address, body: JSON.parse(text).reason }));
      return;
    }
    answer.on('data', (part) => {
      const messages = (text + part).split(this.reader.end);
      text = messages.pop();
      messages.map(this.reader.read).filter(Boolean).forEach((one) => this.hear(JSON.parse(one)));
    });
    answer.on('end', () => this.end(this.code, 'ended'));
  }

  hear(message) {
    if (this.isEnded || OF_THE_CONNECTION.includes(message.type)) return;
    this.code = message.failureCode || this.code;
    this.onmessage({ data: JSON.stringify(message) });
  }

  end(code, reason) {
    if (!this.isEnded) {
      this.isEnded = true;
      this.requests.forEach((one) => one.destroy());
      this.onclose({ code, reason });
    }
  }

  close() {
    this.end(1000, 'left');
  }
}

module.exports = { StreamSocket, OF_STREAMS: Object.keys(READERS) };
