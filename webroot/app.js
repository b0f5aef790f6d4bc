/*
 * Puts the page together. Records go into the store as they arrive; the screen is written ten
 * times a second at most, however many there are.
 *
 * The address may say: ?filter=race/#,sensor/#  what to subscribe to, # when absent
 *                      ?transports=xhr-polling  which SockJS transports to use, in order
 *                      ?view=sensors            which view to begin with
 *                      ?token=...               who looks, where the node asks: see token.js
 *                      ?mode=latest             only the newest value per topic when behind
 */
(function () {
  var RENDER_EVERY_MS = 100, MEASURE_EVERY_MS = 1000;
  var dom = galopPage.dom, store = galopPage.store, status = galopPage.status;
  var alarms = galopPage.alarms;
  var views = {
    races: galopPage.board, sensors: galopPage.sensors, topics: galopPage.topics, alarms: alarms
  };
  var shown = "races", perSecond = 0, counted = 0, measuredAt = new Date().getTime();

  /* A # in a filter begins what the browser takes for a fragment, so both parts are read. */
  function parameter(name) {
    var text = location.search + location.hash;
    var found = new RegExp("[?&]" + name + "=([^&]*)").exec(text);
    return found ? decodeURIComponent(found[1].replace(/\+/g, "%2B")) : "";
  }

  function listed(name) {
    var value = parameter(name);
    return value ? value.split(",") : null;
  }

  var filters = listed("filter") || ["#"];

  function show(view) {
    var name, buttons = dom.byId("nav").getElementsByTagName("button"), i;
    shown = view;
    for (name in views) {
      if (views.hasOwnProperty(name)) {
        dom.show(dom.byId("view-" + name), name === view);
      }
    }
    for (i = 0; i < buttons.length; i++) {
      dom.attribute(buttons[i], "aria-current",
        buttons[i].getAttribute("data-view") === view ? "page" : "false");
    }
    render();
  }

  function measure() {
    var time = new Date().getTime(), elapsed = time - measuredAt;
    if (elapsed >= MEASURE_EVERY_MS) {
      store.measure(elapsed);
      perSecond = (store.total() - counted) * 1000 / elapsed;
      counted = store.total();
      measuredAt = time;
    }
  }

  function render() {
    measure();
    status.render(perSecond);
    alarms.renderCount();
    views[shown].render(store.now());
  }

  /* A new connection has to prove anew that what it brings is the latest. */
  function expect() {
    var i;
    store.forgetFilters();
    alarms.expect();
    for (i = 0; i < filters.length; i++) {
      store.markLive(filters[i], false);
    }
  }

  function subscribe(feed) {
    var headers = {snapshot: true}, i;
    if (parameter("mode")) {
      headers.mode = parameter("mode");
    }
    for (i = 0; i < filters.length; i++) {
      feed.register(filters[i], headers, store.put);
    }
    subscribeAlarms(feed);
  }

  /* Behind all others: where there is room for some filters only, the values come first. */
  function subscribeAlarms(feed) {
    var i, found = alarms.ask(filters);
    for (i = 0; i < found.length; i++) {
      feed.register(found[i], {snapshot: true}, alarms.put);
    }
  }

  function onlive(filter, partial) {
    if (alarms.owns(filter)) {
      alarms.onlive(filter, partial);
    } else {
      store.markLive(filter, true);
    }
  }

  function onresumed(filter, complete) {
    if (alarms.owns(filter)) {
      alarms.onresumed(filter, complete);
    } else {
      status.onresumed(filter, complete);
    }
  }

  function markStale(filter, isStale) {
    if (alarms.owns(filter)) {
      alarms.onstale(filter, isStale);
    } else {
      store.markStale(filter, isStale);
    }
  }

  /* Nobody has asked for alarms who is not shown any, so that a first refusal is no news. */
  function onerr(message) {
    if (!alarms.owns(message.address || "") || alarms.onrefused(message.address)) {
      status.onerr(message);
    }
  }

  function connect() {
    var folder = location.pathname.replace(/[^\/]*$/, "");
    var feed = Galop.connect(folder + "live", {
      transports: listed("transports"), query: Galop.query, again: Galop.again
    });
    feed.onstate = function (state, detail) {
      if (state === "connecting") {
        expect();
      }
      status.onstate(state, detail);
    };
    feed.onlive = onlive;
    feed.onresumed = onresumed;
    feed.onerr = onerr;
    feed.onstale = function (filter) { markStale(filter, true); };
    feed.onfresh = function (filter) { markStale(filter, false); };
    feed.ontopicstale = function (topic) { store.markSilent(topic, true); };
    feed.ontopicfresh = function (topic) { store.markSilent(topic, false); };
    expect();
    subscribe(feed);
    dom.on(dom.byId("retry"), "click", function () { feed.reconnect(); });
  }

  /* Clocks of viewers are often wrong; below two seconds the header's resolution says nothing. */
  function onServerTime(text, sentAt) {
    var skew = Date.parse(text) + 500 - (sentAt + new Date().getTime()) / 2;
    if (Math.abs(skew) > 2000) {
      store.skew(skew);
    }
  }

  function askServerTime() {
    var request = new XMLHttpRequest(), sentAt = new Date().getTime();
    request.open("GET", "logo.svg?clock=" + sentAt, true);
    request.onreadystatechange = function () {
      var text = request.readyState === 4 ? request.getResponseHeader("Date") : null;
      if (text) {
        onServerTime(text, sentAt);
      }
    };
    request.send(null);
  }

  function onNavigate(button) {
    dom.on(button, "click", function () { show(button.getAttribute("data-view")); });
  }

  (function () {
    var i, buttons = dom.byId("nav").getElementsByTagName("button"), wanted = parameter("view");
    for (i = 0; i < buttons.length; i++) {
      onNavigate(buttons[i]);
    }
    askServerTime();
    connect();
    show(views.hasOwnProperty(wanted) ? wanted : "races");
    setInterval(render, RENDER_EVERY_MS);
  }());
}());
