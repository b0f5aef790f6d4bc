/*
 * The alarms that stand, made from records on $alarm/<rule>/<topic>. A node shows them to who may
 * see topics with $; to others this view is not there. Bounded: beyond MAX_ALARMS they are counted.
 */
galopPage.alarms = (function () {
  var MAX_ALARMS = 2000, MAX_ROWS = 200, LIST_EVERY_MS = 500;
  var dom = galopPage.dom, format = galopPage.format, store = galopPage.store;
  var STATES = ["unacknowledged", "returned", "acknowledged", "shelved", "suppressed"];
  var SEVERITIES = ["critical", "high", "medium", "low"];
  var CELLS = ["state", "severity", "text", "topic", "since", "changed"];
  var body = dom.byId("alarms-rows");
  /* Keys begin with a slash: a rule may be called "constructor". A filter is there once granted. */
  var standing = {}, count = 0, beyond = {}, beyondCount = 0, filters = {}, rows = {};
  var connection = 0, listedAt = 0;

  /* Which filter has the alarms of the topics of another one; "" if that means topics with $. */
  function filterOf(filter) {
    if (filter.charAt(0) === "$") {
      return "";
    }
    return filter === "#" ? "$alarm/#" : "$alarm/+/" + filter;
  }

  function isOlder(record, known) {
    var before = known && known.position, after = record.position;
    return before && after && before.shard === after.shard
      && Galop.comparePositions(after, before) <= 0;
  }

  function forget(key) {
    if (standing[key]) {
      delete standing[key];
      count--;
    }
    if (beyond[key]) {
      delete beyond[key];
      beyondCount--;
    }
  }

  function put(record) {
    var key = "/" + record.topic, data = record.data;
    if (!data || typeof data !== "object" || isOlder(record, standing[key])) {
      return;
    }
    if (data.state === "normal") {
      forget(key);
    } else if (standing[key] || count < MAX_ALARMS) {
      count += standing[key] ? 0 : 1;
      standing[key] = {
        key: key, data: data, position: record.position, filter: record.filter, seen: connection
      };
    } else if (!beyond[key]) {
      beyond[key] = {filter: record.filter, seen: connection};
      beyondCount++;
    }
  }

  /* What a whole snapshot does not have has ended. */
  function forgetUnseen(known, filter) {
    var key;
    for (key in known) {
      if (known.hasOwnProperty(key) && known[key].filter === filter
          && known[key].seen !== connection) {
        forget(key);
      }
    }
  }

  /* A new connection: the server says anew what may be seen, and whether all of it has come. */
  function expect() {
    var key;
    connection++;
    for (key in filters) {
      if (filters.hasOwnProperty(key)) {
        filters[key].isLive = filters[key].isResumed = filters[key].isSettled = false;
      }
    }
  }

  /* Whether a filter is one of these. */
  function is(filter) {
    return filter.substring(0, 7) === "$alarm/";
  }

  /* Only the first answer of a connection has all; a later one has the shard that had a gap. */
  function onlive(filter, partial) {
    var known = filters["/" + filter] || {isResumed: false, isSettled: false};
    filters["/" + filter] = known;
    if (!known.isSettled && !known.isResumed && !partial) {
      forgetUnseen(standing, filter);
      forgetUnseen(beyond, filter);
    }
    known.isLive = known.isSettled = true;
  }

  /* After a gap the old Positions no longer say which state is newer. */
  function onresumed(filter, complete) {
    var known = filters["/" + filter], key;
    if (known) {
      known.isResumed = complete;
      known.isLive = false;
    }
    for (key in standing) {
      if (standing.hasOwnProperty(key) && !complete) {
        standing[key].position = null;
      }
    }
  }

  /* May not be seen, or no more. Returns whether that was to be expected. */
  function onrefused(filter) {
    var wasSeen = filters.hasOwnProperty("/" + filter);
    delete filters["/" + filter];
    connection++;
    forgetUnseen(standing, filter);
    forgetUnseen(beyond, filter);
    return !wasSeen;
  }

  function isAny(quality) {
    var key;
    for (key in filters) {
      if (filters.hasOwnProperty(key) && (!quality || !filters[key][quality])) {
        return true;
      }
    }
    return false;
  }

  function rank(words, word) {
    var i;
    for (i = 0; i < words.length && words[i] !== word; i++) {}
    return i;
  }

  function list() {
    var key, all = [];
    for (key in standing) {
      if (standing.hasOwnProperty(key)) {
        all.push(standing[key]);
      }
    }
    return all.sort(function (a, b) {
      return rank(STATES, a.data.state) - rank(STATES, b.data.state)
        || rank(SEVERITIES, a.data.severity) - rank(SEVERITIES, b.data.severity)
        || (b.data.since || 0) - (a.data.since || 0) || (a.key < b.key ? -1 : 1);
    });
  }

  /* How many nobody has acknowledged. */
  function due() {
    var key, found = 0;
    for (key in standing) {
      if (standing.hasOwnProperty(key) && rank(STATES, standing[key].data.state) < 2) {
        found++;
      }
    }
    return found;
  }

  function makeRow() {
    var row = {tr: dom.add(body, "tr", {role: "row"})}, i, head;
    for (i = 0; i < CELLS.length; i++) {
      head = CELLS[i] === "text";
      row[CELLS[i]] = dom.add(row.tr, head ? "th" : "td", {
        "class": CELLS[i], "data-field": CELLS[i], role: head ? "rowheader" : "cell"
      });
    }
    row.text.setAttribute("scope", "row");
    return row;
  }

  function changeOf(data) {
    return format.dateTime(data.changed) + (data.by ? " by " + data.by : "")
      + (data.until ? ", until " + format.dateTime(data.until) : "");
  }

  function renderRow(row, one, time) {
    var data = one.data;
    dom.attribute(row.tr, "data-alarm", one.key.substring(8));
    dom.className(row.tr, "alarm-" + rank(STATES, data.state) + " severity-"
      + rank(SEVERITIES, data.severity));
    dom.text(row.state, data.state);
    dom.text(row.severity, data.severity);
    dom.text(row.text, data.text);
    dom.text(row.topic, data.topic);
    dom.text(row.since, format.age(time - data.since));
    dom.attribute(row.since, "title", format.dateTime(data.since));
    dom.text(row.changed, changeOf(data));
  }

  function renderRows(all, time) {
    var i, row, kept = {}, elements = [], key;
    for (i = 0; i < all.length && i < MAX_ROWS; i++) {
      row = rows[all[i].key] || makeRow();
      kept[all[i].key] = row;
      renderRow(row, all[i], time);
      elements.push(row.tr);
    }
    for (key in rows) {
      if (rows.hasOwnProperty(key) && !kept[key]) {
        body.removeChild(rows[key].tr);
      }
    }
    rows = kept;
    dom.arrange(body, elements);
  }

  function words(shown) {
    var total = count + beyondCount;
    if (isAny("isLive")) {
      return "The latest states have not come yet: what is shown may be old.";
    }
    if (!total) {
      return "No alarm stands.";
    }
    return format.whole(total) + (total === 1 ? " alarm stands" : " alarms stand")
      + (total > shown ? ", " + format.whole(shown) + " shown" : "") + ".";
  }

  /* The number that the navigation shows, in whatever view. */
  function renderCount() {
    var open = due();
    dom.show(dom.byId("alarms-nav"), isAny());
    dom.text(dom.byId("alarms-due"), open ? format.whole(open) : "");
    dom.attribute(dom.byId("alarms-nav"), "title",
      open ? format.whole(open) + " that nobody has acknowledged" : "");
  }

  function render(time) {
    var all;
    if (Math.abs(time - listedAt) < LIST_EVERY_MS) {
      return;
    }
    listedAt = time;
    all = list();
    renderRows(all, time);
    dom.show(dom.byId("alarms-table"), all.length > 0);
    dom.text(dom.byId("alarms-words"), words(Math.min(all.length, MAX_ROWS)));
  }

  return {
    filterOf: filterOf, is: is, put: put, expect: expect, onlive: onlive, onresumed: onresumed,
    onrefused: onrefused, renderCount: renderCount, render: render
  };
}());
