// SockJS over the transports that only browsers have, spoken as a browser would: eventsource,
// htmlfile, jsonp; and the websocket without SockJS's frames ("raw-websocket"). Same events and
// methods as a SockJS socket.
'use strict';
const http = require('http');
const https = require('https');
const { randomUUID } = require('crypto');
const WebSocket = require('faye-websocket');

const KEEP_ALIVE = { 'http:': new http.Agent({ keepAlive: true }), 'https:': new https.Agent({ keepAlive: true }) };

/** Transport → its path, and how one frame stands in a response: a pattern and what it means. */
const READERS = {
  eventsource: {
    path: 'eventsource', type: 'text/event-stream', frame: /data: (.*?)\r?\n\r?\n/s, read: decodeURI,
    send: 'xhr_send',
  },
  htmlfile: {
    path: 'htmlfile?c=parent.got', type: 'text/html', frame: /<script>\s*p\((".*?")\);\s*<\/script>/s,
    read: JSON.parse, send: 'xhr_send',
  },
  'jsonp-polling': {
    path: 'jsonp?c=got', type: 'application/javascript', frame: /got\((".*")\);\s*$/s, read: JSON.parse,
    send: 'jsonp_send',
  },
};

class PlainSocket {
  constructor(url, transport) {
    this.transport = transport;
    this.last = { code: 1006, reason: 'lost' };
    if (transport === 'raw-websocket') {
      this.openWebsocket(url);
    } else {
      this.reader = READERS[transport];
      const [where, query] = url.split('?');
      this.base = `${where}/000/${randomUUID().slice(0, 8)}`;
      this.query = query;
      this.waiting = [];
      this.ask();
    }
  }

  openWebsocket(url) {
    const [where, query] = url.replace(/^http/, 'ws').split('?');
    this.websocket = new WebSocket.Client(`${where}/websocket?${query || ''}`);
    this.websocket.on('open', () => this.onopen());
    this.websocket.on('message', (event) => this.onmessage({ data: event.data }));
    this.websocket.on('close', (event) => this.end(event.code, event.reason));
  }

  request(method, path, headers, answered) {
    const { protocol } = new URL(this.base);
    const joint = path.includes('?') ? '&' : '?';
    const request = (protocol === 'https:' ? https : http).request(
      `${this.base}/${path}${this.query ? joint + this.query : ''}`, { method, headers, agent: KEEP_ALIVE[protocol] }, answered);
    request.on('error', (error) => this.end(1006, String(error.code)));
    return request;
  }

  /** One request for frames; the next follows when the server has ended it. */
  ask() {
    let text = '';
    this.asked = this.request('GET', this.reader.path, {}, (response) => {
      if (response.statusCode !== 200 || !response.headers['content-type'].startsWith(this.reader.type)) {
        this.end(1006, `status ${response.statusCode}, ${response.headers['content-type']}`);
        return;
      }
      response.setEncoding('utf8');
      response.on('data', (part) => { text = this.take(text + part); });
      response.on('end', () => { if (!this.isEnded) this.ask(); });
      response.on('error', (error) => this.end(1006, String(error.code)));
    });
    this.asked.end();
  }

  /** Reads whole frames off the text; what is left of it. */
  take(text) {
    let rest = text;
    for (let found = this.reader.frame.exec(rest); found; found = this.reader.frame.exec(rest)) {
      rest = rest.slice(found.index + found[0].length);
      this.onFrame(this.reader.read(found[1]));
    }
    return rest;
  }

  /**
   * As in sockjs-client, nothing is heard of a socket that has closed, and a socket that is opened
   * again has lost its session: behind a balancer, a poll may come to a node that does not know it.
   */
  onFrame(frame) {
    if (this.isEnded) return;
    const data = frame.length > 1 ? JSON.parse(frame.slice(1)) : null;
    if (frame[0] === 'o') this.onOpenFrame();
    if (frame[0] === 'a') data.forEach((one) => this.onmessage({ data: one }));
    if (frame[0] === 'm') this.onmessage({ data });
    if (frame[0] === 'c') this.end(...data);
  }

  onOpenFrame() {
    if (this.isOpen) {
      this.end(1006, 'the server has lost the session');
      return;
    }
    this.isOpen = true;
    this.onopen();
  }

  /** Messages go one request after the other, so that they arrive in order. */
  send(text) {
    if (this.websocket) {
      this.websocket.send(text);
      return;
    }
    this.waiting.push(text);
    if (this.waiting.length === 1) this.post();
  }

  post() {
    const isForm = this.reader.send === 'jsonp_send';
    const array = JSON.stringify(this.waiting.slice(0, 1));
    const body = isForm ? 'd=' + encodeURIComponent(array) : array;
    const type = isForm ? 'application/x-www-form-urlencoded' : 'text/plain';
    this.request('POST', this.reader.send, { 'Content-Type': type }, (response) => {
      response.resume();
      response.on('end', () => {
        this.waiting.shift();
        if (response.statusCode >= 300) this.end(1006, `${this.reader.send}: status ${response.statusCode}`);
        else if (this.waiting.length) this.post();
      });
    }).end(body);
  }

  end(code, reason) {
    if (!this.isEnded) {
      this.isEnded = true;
      if (this.asked) this.asked.destroy();
      this.onclose({ code, reason });
    }
  }

  close() {
    if (this.websocket) this.websocket.close();
    this.end(1000, 'left');
  }
}

module.exports = { PlainSocket };
