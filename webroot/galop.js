/* Galop's browser client, for browsers from IE8 on. Load vendor/sockjs.min.js before it, and
 * deltas.js, if it is to be sent fewer bytes.
 *
 *   var feed = Galop.connect("/live", {transports: ["websocket", "xhr-polling"]});
 *   feed.onstate = function (state, detail) { };
 *   feed.register("race/#", {snapshot: true}, function (record) { });
 *
 * connect(url, options)  options.transports: SockJS transports to try, in order; all when absent;
 *                        options.query: gives what follows the url, such as a token, options.again
 *                        (code) whether to come back from a final code all the same: see token.js
 * register(filter, headers, onrecord)  headers: snapshot (true), mode ("every" | "latest"), maxRate
 *                        (per second), deltas (false: whole records, though deltas.js is there)
 * unregister(filter), reconnect() (now, not after the back-off), close()
 *
 * A record: {topic, filter, id, time (event time, microseconds since the epoch), data, received
 *   (milliseconds), position ({shard, epoch, offset}), catchingUp (true for snapshots and replays),
 *   ageMs (how old it was when it was sent, or undefined), stale (its topic is silent for too long)}
 *
 * Events, all optional:
 *   onstate(state, detail)     "connecting", "live", "silent" (connected, but nothing is heard),
 *                              "waiting" (lost, comes back at detail.retryAt), "closed" (by
 *                              close(), or because coming back would be refused again);
 *                              detail: {transport, lostAt, retryAt, attempt, code, reason, word}
 *   onresumed(filter, complete)  false: some updates were missed; a snapshot follows
 *   onlive(filter, partial)    the snapshot, or what was missed, is over; partial: topics that have
 *                              not changed for long may be missing
 *   onstale(filter), onfresh(filter)  the feed behind the server is cut off, or is back
 *   ontopicstale(topic, filter), ontopicfresh(topic, filter)  it is silent for too long; each
 *                              connection tells anew
 *   oncapped(filter, caps)     what operators' caps leave (docs/protocol.md); each connection
 *                              tells anew, before the first record, and is silent without caps
 *   onerr(message)             what the server refused: {message, body: a stable word, ...}
 *
 * options.shown: false to tell the node nothing. Otherwise it tells now and then when a record was
 * on the screen, for the node's metrics: a ping asks for the node's clock, and the next record after
 * the answer is the one to tell of. Old nodes do not answer, and are told nothing.
 *
 * When a connection breaks, the client comes back and asks for what it missed since the last
 * Position of each shard. A frozen server is noticed within PING_MS + SILENT_MS; after a machine or
 * a page slept for so long it is "silent" until the server is heard again.
 */
var Galop = (function () {
  var PING_MS = 1500, SILENT_MS = 2500, DEAD_MS = 9000, WATCH_MS = 250;
  var FIRST_DELAY_MS = 300, MAX_DELAY_MS = 10000;
  var DRIFT = 10000; /* clocks may drift apart by one part in so many */
  var LATE_MS = 10000; /* who shows a record later than this was not looking */
  var FINAL_CODE = 3500; /* from here on coming back would be refused again */

  function now() {
    return new Date().getTime();
  }

  /* Compares decimal texts: epochs and offsets may be larger than a double holds exactly. */
  function compareDecimal(a, b) {
    return a.length - b.length || (a < b ? -1 : (a > b ? 1 : 0));
  }

  /* "<shard>.<epoch>-<offset>" as {shard, epoch, offset}, or null for any other text. */
  function parsePosition(text) {
    var parts = /^(\d+)\.(\d+)-(\d+)$/.exec(text);
    return parts ? {shard: parts[1], epoch: parts[2], offset: parts[3]} : null;
  }

  /* Negative when a is before b; only for positions of one shard. */
  function comparePositions(a, b) {
    return compareDecimal(a.epoch, b.epoch) || compareDecimal(a.offset, b.offset);
  }

  function Feed(url, options) {
    this.url = url;
    this.options = options;
    this.registrations = {};
    this.detail = {transport: "", attempt: 0, lostAt: 0, retryAt: 0, code: 0, reason: "", word: ""};
    this.state = "";
    var feed = this;
    feed.watchedAt = now();
    open(feed);
    /* Nobody could have set onstate before. */
    setTimeout(function () { if (feed.state === "connecting") { enter(feed, "connecting"); } }, 0);
    this.watching = setInterval(function () { watch(feed); }, WATCH_MS);
  }

  function emit(feed, event, a, b) {
    if (feed[event]) {
      feed[event](a, b);
    }
  }

  function enter(feed, state) {
    feed.state = state;
    emit(feed, "onstate", state, feed.detail);
  }

  function open(feed) {
    var options = feed.options, url = options.query ? feed.url + options.query() : feed.url;
    var socket = new SockJS(url, null, options.transports ? {transports: options.transports} : {});
    feed.socket = socket;
    feed.pingedAt = feed.askedAt = feed.askAt = 0;
    feed.answersPings = feed.isSampling = false;
    feed.farewell = feed.clock = null;
    feed.deltas = typeof GalopDeltas === "undefined" ? null : new GalopDeltas();
    socket.onopen = function () { onOpen(feed, socket); };
    socket.onmessage = function (event) { onText(feed, event.data); };
    socket.onclose = function (event) { onClose(feed, event); };
    enter(feed, "connecting");
  }

  function each(map, action) {
    var key;
    for (key in map) {
      if (map.hasOwnProperty(key)) {
        action(map[key], key);
      }
    }
  }

  function onOpen(feed, socket) {
    feed.detail.transport = socket.transport || socket.protocol || "";
    feed.heardAt = now();
    enter(feed, "live");
    each(feed.registrations, function (registration) { sendRegister(feed, registration); });
    ping(feed, feed.options.shown !== false);
  }

  function send(feed, message) {
    if (feed.state === "live" || feed.state === "silent") {
      feed.socket.send(JSON.stringify(message));
    }
  }

  function ping(feed, asksClock) {
    feed.pingedAt = now();
    if (asksClock) {
      feed.askedAt = feed.pingedAt;
      feed.askAt = 0;
    }
    send(feed, asksClock ? {type: "ping", clock: true} : {type: "ping"});
  }

  /* The node's clock was read between the question and now: the shorter that was, the better. */
  function onClock(feed, message) {
    var time = now(), half = (time - feed.askedAt) / 2, old = feed.clock;
    var clock = {ahead: message.now - feed.askedAt - half, error: half + 1, at: time};
    var oldError = old ? old.error + (time - old.at) / DRIFT : 0;
    feed.askAt = time + message.again; /* also when the browser's clock was set back meanwhile */
    if (half < 0) {
      return;
    }
    if (!old || clock.error <= oldError ||
        Math.abs(clock.ahead - old.ahead) > clock.error + oldError) {
      feed.clock = clock; /* better, or one of the clocks was set */
    }
    feed.isSampling = true;
  }

  /* After the next frame is painted; at once where the browser does not tell. */
  function whenShown(action) {
    var frame = window.requestAnimationFrame || function (next) { next(); };
    frame.call(window, function () { setTimeout(action, 0); });
  }

  function tellShown(feed, position) {
    var socket = feed.socket, received = feed.heardAt;
    feed.isSampling = false;
    if (document.hidden) {
      return;
    }
    whenShown(function () {
      var time = now(), clock = feed.clock;
      if (feed.socket === socket && time - received >= 0 && time - received < LATE_MS) {
        send(feed, {
          type: "shown", pos: position, time: time + clock.ahead,
          error: clock.error + (time - clock.at) / DRIFT
        });
      }
    });
  }

  /*
   * Resumes from the Positions, unless the connection broke before the first snapshot was over:
   * topics that it had not reached yet would be missed. Without a snapshot an empty since asks for
   * the Positions of now, so that a resume misses nothing of shards that were silent until then.
   */
  function sendRegister(feed, registration) {
    var headers = {}, since = [];
    each(registration.headers, function (value, name) { headers[name] = value; });
    if (registration.isSettled || !headers.snapshot) {
      each(registration.positions, function (position) { since.push(position.text); });
      headers.since = since.join(",");
    } else {
      registration.positions = {};
    }
    if (feed.deltas && headers.deltas === undefined) {
      headers.deltas = true;
    }
    registration.isResuming = !!headers.since;
    registration.catchingUp = true;
    send(feed, {type: "register", address: registration.filter, headers: headers});
  }

  /* What is told by what is different, as it would be told otherwise. */
  function onText(feed, text) {
    var deltas = feed.deltas, isWhole = !deltas || text.charAt(0) === "{";
    var message = isWhole ? text : deltas.read(text);
    if (message) {
      onMessage(feed, JSON.parse(message));
      return;
    }
    if (feed.registrations[deltas.lost]) { /* what is still on its way must not move a Position */
      onClose(feed, {code: 0, reason: "a delta could not be read"});
    }
  }

  function onMessage(feed, message) {
    var topic;
    feed.heardAt = now();
    feed.pingedAt = 0;
    feed.detail.attempt = 0;
    if (feed.state === "silent") {
      enter(feed, "live");
    }
    if (message.type === "rec") {
      onRecord(feed, message);
    } else if (message.type === "pong") {
      feed.answersPings = true;
      if (message.now && feed.askedAt) {
        onClock(feed, message);
      }
    } else if (message.type === "resumed") {
      onResumed(feed, message);
    } else if (message.type === "live") {
      onLive(feed, message);
    } else if (message.type === "stale" || message.type === "fresh") {
      topic = (message.headers || {}).topic;
      emit(feed, (topic ? "ontopic" : "on") + message.type, topic || message.address, message.address);
    } else if (message.type === "capped" || message.type === "updated") {
      emit(feed, "on" + message.type, message.address, message.body);
    } else if (message.type === "err") {
      feed.farewell = message.failureType === "disconnect" ? message : null;
      emit(feed, "onerr", message);
    }
  }

  function onRecord(feed, message) {
    var registration = feed.registrations[message.address];
    var headers = message.headers, body = message.body, position;
    if (!registration) {
      return;
    }
    position = advance(registration, headers.pos);
    registration.onrecord({
      topic: headers.topic,
      filter: message.address,
      id: body.id,
      time: body.time,
      data: body.data,
      position: position,
      received: feed.heardAt,
      ageMs: headers.age, stale: headers.stale === true,
      catchingUp: registration.catchingUp
    });
    if (feed.isSampling && position && !registration.catchingUp) {
      tellShown(feed, headers.pos);
    }
  }

  function advance(registration, text) {
    var position = parsePosition(text);
    var last = position ? registration.positions[position.shard] : null;
    if (position && (!last || comparePositions(position, last) > 0)) {
      position.text = text;
      registration.positions[position.shard] = position;
    }
    return position;
  }

  /*
   * Incomplete: a snapshot follows. As the answer to a resume it is of all shards, and the old
   * Positions mean nothing any more; in the middle of the feed it is of the shard with the gap.
   */
  function onResumed(feed, message) {
    var registration = feed.registrations[message.address], isComplete = message.complete === true;
    if (!registration || (isComplete && !registration.isResuming)) {
      return;
    }
    if (!isComplete) {
      registration.positions = registration.isResuming ? {} : registration.positions;
      registration.catchingUp = true;
      registration.isSettled = false;
    }
    registration.isResuming = false;
    emit(feed, "onresumed", message.address, isComplete);
  }

  /* Everything up to here has been sent: the Positions of all shards, also of those unheard of. */
  function onLive(feed, message) {
    var registration = feed.registrations[message.address], i, heads;
    if (registration) {
      heads = (message.pos || "").split(",");
      for (i = 0; i < heads.length; i++) {
        advance(registration, heads[i]);
      }
      registration.catchingUp = registration.isResuming = false;
      registration.isSettled = true;
      emit(feed, "onlive", message.address, message.partial === true);
    }
  }

  function onClose(feed, event) {
    var detail = feed.detail, end = feed.farewell || event, again = feed.options.again;
    var delay = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * Math.pow(2, detail.attempt));
    detail.lostAt = detail.attempt > 0 ? detail.lostAt : now();
    detail.attempt++;
    detail.code = end.failureCode || event.code || 0;
    detail.reason = end.message || event.reason || "";
    detail.word = end.body || "";
    detail.retryAt = now() + Math.round(end.retryAfterMs || delay * (0.5 + Math.random()));
    if ((end.isFinal || end.failureCode >= FINAL_CODE) && !(again && again(end.failureCode))) {
      feed.close();
      return;
    }
    release(feed);
    enter(feed, "waiting");
  }

  /* Takes the socket out of service, whatever it still says afterwards. */
  function release(feed) {
    var socket = feed.socket;
    feed.socket = null;
    if (socket) {
      socket.onopen = socket.onmessage = socket.onclose = null;
      socket.close();
    }
  }

  /* Nothing waits for a clock that was set back. Timers of hidden pages may be a minute late. */
  function watch(feed) {
    var time = now(), back = Math.max(0, feed.watchedAt - time), detail = feed.detail, waited, slept;
    feed.watchedAt = time;
    detail.lostAt -= back;
    if (feed.state === "waiting") {
      detail.retryAt -= back;
      if (time >= detail.retryAt) {
        open(feed);
      }
      return;
    }
    if (feed.state !== "live" && feed.state !== "silent") {
      return;
    }
    feed.heardAt = Math.min(feed.heardAt, time);
    feed.pingedAt = Math.min(feed.pingedAt, time);
    feed.askAt -= feed.askAt ? back : 0;
    waited = feed.pingedAt ? time - feed.pingedAt : 0;
    slept = !feed.pingedAt && time - feed.heardAt >= PING_MS + SILENT_MS && !document.hidden;
    if (feed.askAt && time >= feed.askAt && !feed.pingedAt) {
      ping(feed, true);
    } else if (!feed.pingedAt && time - feed.heardAt >= PING_MS) {
      ping(feed, false);
    } else if (feed.answersPings && waited > DEAD_MS) {
      onClose(feed, {code: 0, reason: "no answer"});
    }
    if (feed.answersPings && (slept || waited > SILENT_MS) && feed.state === "live") {
      enter(feed, "silent");
    }
  }

  Feed.prototype.register = function (filter, headers, onrecord) {
    this.registrations[filter] = {
      filter: filter, headers: headers || {}, onrecord: onrecord, positions: {}, isSettled: false
    };
    sendRegister(this, this.registrations[filter]);
  };

  Feed.prototype.unregister = function (filter) {
    delete this.registrations[filter];
    if (this.deltas) {
      this.deltas.forget(filter);
    }
    send(this, {type: "unregister", address: filter});
  };

  Feed.prototype.reconnect = function () {
    if (this.state === "waiting") {
      open(this);
    }
  };

  Feed.prototype.close = function () {
    clearInterval(this.watching);
    release(this);
    enter(this, "closed");
  };

  return {
    connect: function (url, options) { return new Feed(url, options || {}); },
    parsePosition: parsePosition,
    comparePositions: comparePositions
  };
}());
