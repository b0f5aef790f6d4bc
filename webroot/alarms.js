/*
 * The alarms that stand, made from records on $alarm/<rule>/<topic>. A node shows them to who may
 * see topics with $; to others this view is not there. Bounded: beyond MAX_ALARMS they are counted.
 */
galopPage.alarms = (function () {
  var MAX_ALARMS = 2000, MAX_BEYOND = 20000, MAX_ROWS = 200, LIST_EVERY_MS = 500;
  var dom = galopPage.dom, format = galopPage.format, store = galopPage.store;
  var STATES = ["unacknowledged", "returned", "acknowledged", "shelved", "suppressed"];
  var SEVERITIES = ["critical", "high", "medium", "low"];
  var CELLS = ["state", "severity", "text", "topic", "since", "changed"];
  var body = dom.byId("alarms-rows");
  /* Keys of all maps here begin with a slash: a rule may be called "constructor". */
  var standing = {}, count = 0, beyond = {}, beyondCount = 0, isMore = false, rows = {};
  /* The filters that are asked for alarms, and what is known of each. */
  var asked = {}, connection = 0, listedAt = 0;

  /* Which filter has the alarms of the topics of another one; "" if that means topics with $. */
  function filterOf(filter) {
    if (filter.charAt(0) === "$") {
      return "";
    }
    return filter === "#" ? "$alarm/#" : "$alarm/+/" + filter;
  }

  /* The filters to register beside those that are registered anyhow, which stay what they are. */
  function ask(filters) {
    var i, found = [], taken = {};
    for (i = 0; i < filters.length; i++) {
      taken["/" + filters[i]] = true;
    }
    for (i = 0; i < filters.length; i++) {
      if (filterOf(filters[i]) && !taken["/" + filterOf(filters[i])]) {
        taken["/" + filterOf(filters[i])] = true;
        found.push(filterOf(filters[i]));
        asked["/" + filterOf(filters[i])] = {isGranted: false, isRefused: false};
      }
    }
    return found;
  }

  /* Whether a filter is one of these. */
  function owns(filter) {
    return asked.hasOwnProperty("/" + filter);
  }

  function forgetStanding(key) {
    count -= standing[key] ? 1 : 0;
    delete standing[key];
  }

  function forgetBeyond(key) {
    beyondCount -= beyond[key] ? 1 : 0;
    delete beyond[key];
  }

  function keep(key, record) {
    forgetBeyond(key);
    count += standing[key] ? 0 : 1;
    standing[key] = {
      key: key, data: record.data, position: record.position, filter: record.filter,
      seen: connection
    };
  }

  function countBeyond(key, record) {
    if (!beyond[key] && beyondCount >= MAX_BEYOND) {
      isMore = true;
      return;
    }
    beyondCount += beyond[key] ? 0 : 1;
    beyond[key] = {filter: record.filter, seen: connection};
  }

  function put(record) {
    var key = "/" + record.topic, data = record.data;
    if (!data || typeof data !== "object") {
      return;
    }
    if (standing[key] && store.isOlder(record, standing[key])) {
      standing[key].seen = connection;
    } else if (data.state === "normal") {
      forgetStanding(key);
      forgetBeyond(key);
    } else if (standing[key] || count < MAX_ALARMS) {
      keep(key, record);
    } else {
      countBeyond(key, record);
    }
  }

  /* Forgets what a filter had: all of it, or what did not come on this connection. */
  function forget(known, filter, isAll, forgetOne) {
    var key;
    for (key in known) {
      if (known.hasOwnProperty(key) && known[key].filter === filter
          && (isAll || known[key].seen !== connection)) {
        forgetOne(key);
      }
    }
  }

  function forgetOf(filter, isAll) {
    forget(standing, filter, isAll, forgetStanding);
    forget(beyond, filter, isAll, forgetBeyond);
    isMore = isMore && beyondCount >= MAX_BEYOND;
  }

  /* A new connection: the server says anew what may be seen, and whether all of it has come. */
  function expect() {
    var key;
    connection++;
    for (key in asked) {
      if (asked.hasOwnProperty(key)) {
        asked[key].isLive = asked[key].isResumed = asked[key].isAnswered = false;
        asked[key].isSettled = asked[key].isStale = false;
      }
    }
  }

  /* What a whole snapshot does not have has ended. Only a first answer may be whole. */
  function onlive(filter, partial) {
    var known = asked["/" + filter];
    if (!known.isSettled && !known.isResumed) {
      known.isPartial = partial;
      if (!partial) {
        forgetOf(filter, false);
      }
    }
    known.isGranted = known.isLive = known.isSettled = true;
    known.isRefused = false;
  }

  /*
   * A first answer says whether all goes on; later ones tell of a gap in one shard. After a gap the
   * old Positions no longer say which state is newer.
   */
  function onresumed(filter, complete) {
    var known = asked["/" + filter], key;
    if (!known.isAnswered && !known.isSettled) {
      known.isAnswered = true;
      known.isResumed = complete;
    }
    known.isLive = false;
    for (key in standing) {
      if (standing.hasOwnProperty(key) && standing[key].filter === filter && !complete) {
        standing[key].position = null;
      }
    }
  }

  function onstale(filter, isStale) {
    asked["/" + filter].isStale = isStale;
  }

  /* May not be seen, or no more. Returns whether somebody was shown it before. */
  function onrefused(filter) {
    var known = asked["/" + filter], wasGranted = known.isGranted;
    known.isGranted = false;
    known.isRefused = true;
    forgetOf(filter, true);
    return wasGranted;
  }

  /* Whether a quality of one of them, of those that may be seen if that is asked, has a value. */
  function isAny(quality, value, isOfGranted) {
    var key;
    for (key in asked) {
      if (asked.hasOwnProperty(key) && !!asked[key][quality] === value
          && (!isOfGranted || asked[key].isGranted)) {
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

  /* What is known of all of them; a silence that means nothing is never told as "no alarm". */
  function words(shown) {
    var total = count + beyondCount;
    if (!isAny("isGranted", true)) {
      return isAny("isRefused", false)
        ? "Not known yet: the server has not told which alarms stand."
        : "Alarms are not shown here: who may see them is up to the server.";
    }
    if (isAny("isLive", false, true)) {
      return "The latest states have not come yet: what is shown may be old.";
    }
    if (isAny("isStale", true, true)) {
      return "The feed behind this server is interrupted: what is shown may be old.";
    }
    return (!total ? "No alarm stands." : (isMore ? "More than " : "") + format.whole(total)
        + (total === 1 ? " alarm stands" : " alarms stand")
        + (total > shown ? ", " + format.whole(shown) + " shown" : "") + ".")
      + (isAny("isRefused", true) ? " Those of some filters are not shown here." : "")
      + (isAny("isPartial", true, true) ? " Some may have ended while this page was away." : "");
  }

  /* The number that the navigation shows, in whatever view. */
  function renderCount() {
    var open = due();
    dom.show(dom.byId("alarms-nav"), isAny("isGranted", true));
    dom.show(dom.byId("alarms-due"), open > 0);
    dom.text(dom.byId("alarms-due"), open ? format.whole(open) : "");
    dom.attribute(dom.byId("alarms-nav"), "title",
      open ? format.whole(open) + " that nobody has acknowledged" : "");
  }

  function isDoubtful() {
    return isAny("isLive", false, true) || isAny("isStale", true, true);
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
    dom.className(dom.byId("alarms-table"), isDoubtful() ? "wide is-doubtful" : "wide");
    dom.text(dom.byId("alarms-words"), words(Math.min(all.length, MAX_ROWS)));
  }

  return {
    ask: ask, owns: owns, put: put, expect: expect, onlive: onlive, onresumed: onresumed,
    onstale: onstale, onrefused: onrefused, renderCount: renderCount, render: render
  };
}());
