// Many viewers in one Node.js process or one page. Each has a transport, registrations and, as the
// page's client does, the Positions with which it comes back after a break.
//
//   const act = crowd(connect, emit);
//   act({act: 'open', viewer: 'a', urls: [URL, …], transport: T, registers: [{address, headers}]})
//   act({act: 'say', viewer: 'a', message: {…}}), act({act: 'close', viewer: 'a'})
//
// connect(url, transport) makes a socket with SockJS's methods and events. emit(viewer, message) is
// given every message from the server, and {type: 'open' | 'close'}. A viewer with several urls comes
// back to the next one each time; with one url only if the order says again: true. With watch: true it
// asks whether the node is still there, as the page's client does: sockjs-client in Node.js never
// notices that a stream was cut off in the middle of a response. Deltas are read with root.GalopDeltas.
'use strict';
(function (root) {
  const COME_BACK_MS = 200, PING_MS = 1500, DEAD_MS = 9000;

  // sockjs-client gives a transport a few times as long as /info took, which may be too short while
  // the machine is busy, and calls that "All transports failed".
  const ALL_FAILED = 2000, MORE_TRIES = 3;

  class Viewer {
    constructor(order, connect, emit) {
      Object.assign(this, { order, connect, emit, positions: new Map(), at: 0, failed: 0 });
      this.open();
      if (order.watch) setInterval(() => this.watch(), PING_MS);
    }

    watch() {
      if (Date.now() - this.heardAt > DEAD_MS) {
        const silent = this.socket;
        silent.onopen = silent.onmessage = silent.onclose = () => {};
        silent.close();
        this.onClose({ code: 0, reason: 'silent' });
      } else if (this.isOpen) {
        this.say({ type: 'ping' });
      }
    }

    open() {
      this.heardAt = Date.now();
      this.deltas = root.GalopDeltas && new root.GalopDeltas();
      const { urls, transport, registers = [] } = this.order;
      const socket = this.connect(urls[this.at++ % urls.length], transport);
      this.socket = socket;
      socket.onopen = () => {
        this.isOpen = true;
        this.failed = 0;
        this.emit({ type: 'open', transport: socket.transport });
        registers.forEach((one) => this.register(one));
      };
      socket.onmessage = (event) => this.onText(event.data);
      socket.onclose = (event) => this.onClose(event);
    }

    register({ address, headers = {} }) {
      const since = [...(this.positions.get(address) || [])].map(([, text]) => text).join(',');
      const wanted = since ? { ...headers, since, snapshot: undefined } : headers;
      this.say({ type: 'register', address, headers: wanted });
    }

    say(message) {
      this.socket.send(JSON.stringify(message));
    }

    // Of a record that came as a delta, told is 'delta'.
    onText(text) {
      const isPlain = text.charAt(0) === '{';
      const whole = isPlain ? text : this.deltas.read(text);
      const message = JSON.parse(whole || '{"type":"lost"}');
      if (!isPlain && !text.endsWith(whole)) message.told = 'delta';
      this.onMessage(message);
    }

    onMessage(message) {
      this.heardAt = Date.now();
      if (message.type === 'pong') return;
      const position = message.type === 'rec' ? message.headers.pos : message.pos;
      (position || '').split(',').filter(Boolean).forEach((one) => this.remember(message.address, one));
      this.emit(message);
    }

    remember(address, text) {
      const known = this.positions.get(address) || new Map();
      const [shard, epoch, offset] = text.split(/[.-]/).map(Number);
      const [, oldEpoch, oldOffset] = (known.get(shard) || '0.0-0').split(/[.-]/).map(Number);
      if (epoch > oldEpoch || (epoch === oldEpoch && offset >= oldOffset)) known.set(shard, text);
      this.positions.set(address, known);
    }

    onClose({ code, reason }) {
      if (code === ALL_FAILED && !this.isLeaving && this.failed < MORE_TRIES) {
        this.failed++;
        this.at--;
        setTimeout(() => this.isLeaving || this.open(), COME_BACK_MS);
        return;
      }
      this.isOpen = false;
      this.heardAt = Infinity;
      this.emit({ type: 'close', code, reason });
      const comesBack = this.order.again || this.order.urls.length > 1;
      if (comesBack && !this.isLeaving) setTimeout(() => this.isLeaving || this.open(), COME_BACK_MS);
    }

    close() {
      this.isLeaving = true;
      this.socket.close();
    }
  }

  root.crowd = function (connect, emit) {
    const viewers = new Map();
    return function (order) {
      if (order.act === 'open') {
        viewers.set(order.viewer, new Viewer(order, connect, (message) => emit(order.viewer, message)));
      } else if (order.act === 'say') {
        viewers.get(order.viewer).say(order.message);
      } else {
        viewers.get(order.viewer).close();
      }
    };
  };
})(typeof module === 'undefined' ? window : module.exports);
