/*
 * The last value of every topic, how old it is, and whether it may still be believed. Bounded: of
 * more than MAX_TOPICS the longest unchanged are forgotten.
 */
galopPage.store = (function () {
  var MAX_TOPICS = 20000;
  var AGING_MS = 10000;
  var OLD_MS = 60000;
  /* Event times this far from now are a replay of old data; then only the arrival says anything. */
  var HISTORIC_MS = 3600000;

  /* Keys of all maps here begin with a slash: a topic may be called "constructor". */
  var entries = {}, size = 0, listeners = [], total = 0;
  var forgetListeners = [], forgotten = 0;
  var believed = false, filters = {}, skewMs = 0;

  /* Server time as far as known, in milliseconds. */
  function now() {
    return new Date().getTime() + skewMs;
  }

  /* Whether something newer, or the record itself, has been put into an entry with a position. */
  function isOlder(record, entry) {
    var before = entry.position, after = record.position;
    return before && after && before.shard === after.shard
      && Galop.comparePositions(after, before) <= 0;
  }

  /*
   * The moment from which a value's age counts: its event time, even if it was late on its way.
   * Not believed are event times ahead of the clock, and those of old data that is fed as if live;
   * but what a snapshot or a resume brings may really be old, as far as the server does not know
   * better.
   */
  function origin(record, timeMs) {
    var lagMs = record.received + skewMs - timeMs;
    if (!(lagMs >= 0) || (!record.catchingUp && lagMs > HISTORIC_MS)) {
      return record.received + skewMs;
    }
    return lagMs > HISTORIC_MS && record.ageMs >= 0
      ? record.received + skewMs - record.ageMs : timeMs;
  }

  function put(record) {
    var entry = entries["/" + record.topic] || create(record.topic);
    var timeMs = record.time / 1000, i;
    total++;
    if (record.ageMs >= 0) {
      entry.isSilent = record.stale;
    }
    if (isOlder(record, entry)) {
      return;
    }
    entry.originMs = origin(record, timeMs);
    entry.count++;
    entry.counted += record.catchingUp ? 1 : 0;
    entry.filter = record.filter;
    entry.position = record.position;
    entry.timeMs = isNaN(timeMs) ? entry.originMs : timeMs;
    entry.data = record.data;
    entry.id = record.id;
    for (i = 0; i < listeners.length; i++) {
      listeners[i](entry);
    }
  }

  function create(topic) {
    if (size >= MAX_TOPICS) {
      evict();
    }
    size++;
    entries["/" + topic] = {
      topic: topic, count: 0, counted: 0, rate: 0, originMs: 0, position: null, isSilent: false
    };
    return entries["/" + topic];
  }

  /* Forgets the tenth that has been unchanged for longest, so that eviction stays rare. */
  function evict() {
    var byAge = list(), i, j;
    byAge.sort(function (a, b) { return a.originMs - b.originMs; });
    for (i = 0; i < MAX_TOPICS / 10; i++) {
      delete entries["/" + byAge[i].topic];
      size--;
      forgotten++;
      for (j = 0; j < forgetListeners.length; j++) {
        forgetListeners[j](byAge[i].topic);
      }
    }
  }

  function list() {
    var topic, all = [];
    for (topic in entries) {
      if (entries.hasOwnProperty(topic)) {
        all.push(entries[topic]);
      }
    }
    return all;
  }

  function ageMs(entry) {
    return Math.max(0, now() - entry.originMs);
  }

  /* A subscription: its values are believed from the end of its snapshot on, while not stale. */
  function subscription(filter) {
    var key = "/" + filter;
    filters[key] = filters[key] || {isLive: false, isStale: false};
    return filters[key];
  }

  function isAny(quality, value) {
    var key;
    for (key in filters) {
      if (filters.hasOwnProperty(key) && filters[key][quality] === value) {
        return true;
      }
    }
    return false;
  }

  /*
   * "fresh", "aging", "old", or "stale": nothing could have been heard of a newer value, or it is
   * missing for longer than it may be.
   */
  function freshness(entry) {
    var age = ageMs(entry), source = subscription(entry.filter);
    if (!believed || !source.isLive || source.isStale || entry.isSilent) {
      return "stale";
    }
    return age > OLD_MS ? "old" : (age > AGING_MS ? "aging" : "fresh");
  }

  /* Updates the rate of each topic; what only catches up was not counted. */
  function measure(elapsedMs) {
    var all = list(), i, entry, rate;
    for (i = 0; i < all.length; i++) {
      entry = all[i];
      rate = (entry.count - entry.counted) * 1000 / elapsedMs;
      entry.rate = entry.rate ? entry.rate * 0.8 + rate * 0.2 : rate;
      entry.counted = entry.count;
    }
  }

  /* A topic that is silent for too long is not believed until the server says that it is back. */
  function markSilent(topic, isSilent) {
    var entry = entries["/" + topic];
    if (entry) {
      entry.isSilent = isSilent;
    }
  }

  /* A new connection says anew which topics are silent. */
  function forgetFilters() {
    var all = list(), i;
    filters = {};
    for (i = 0; i < all.length; i++) {
      all[i].isSilent = false;
    }
  }

  /* After a gap the old Positions no longer say which value is newer. */
  function forgetPositions() {
    var all = list(), i;
    for (i = 0; i < all.length; i++) {
      all[i].position = null;
    }
  }

  return {
    put: put, list: list, ageMs: ageMs, freshness: freshness, measure: measure, now: now,
    forgetPositions: forgetPositions, isOlder: isOlder,
    get: function (topic) { return entries["/" + topic]; },
    count: function () { return size; },
    total: function () { return total; },
    forgotten: function () { return forgotten; },
    onput: function (listener) { listeners.push(listener); },
    onforget: function (listener) { forgetListeners.push(listener); },
    believe: function (isBelieved) { believed = isBelieved; },
    markLive: function (filter, isLive) { subscription(filter).isLive = isLive; },
    markStale: function (filter, isStale) { subscription(filter).isStale = isStale; },
    isAnyStale: function () { return isAny("isStale", true); },
    isCatchingUp: function () { return isAny("isLive", false); },
    markSilent: markSilent, forgetFilters: forgetFilters,
    skew: function (ms) { skewMs = ms; }
  };
}());
