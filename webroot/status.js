/* The connection as the user sees it: state, transport, rates, and what went wrong, in words. */
galopPage.status = (function () {
  var GOOD_NEWS_MS = 8000, CATCH_UP_MS = 1500;
  var dom = galopPage.dom, format = galopPage.format, store = galopPage.store;
  var WORDS = {
    connecting: "Connecting", live: "Live", silent: "No answer", waiting: "Lost", closed: "Closed",
    stale: "Feed stale", behind: "Catching up"
  };
  var state = "connecting", detail = null, losses = 0, wasLive = false, noticeUntil = 0, liveAt = 0;

  function notice(words, isBad) {
    dom.text(dom.byId("notice-text"), words);
    dom.className(dom.byId("notice"), isBad ? "bad" : "good");
    dom.show(dom.byId("notice"), true);
    noticeUntil = isBad ? Infinity : new Date().getTime() + GOOD_NEWS_MS;
  }

  function onstate(next, details) {
    if (next === "waiting" && wasLive) {
      losses++;
      wasLive = false;
    }
    if (next === "live" && state !== "silent") {
      wasLive = true;
      liveAt = new Date().getTime();
    }
    state = next;
    detail = details;
    store.believe(next === "live");
  }

  function onresumed(filter, complete) {
    if (!complete) {
      store.forgetPositions();
    }
    notice(complete
      ? "Resumed " + filter + ": complete. Nothing was missed."
      : "Resumed " + filter + ": incomplete \u2014 some updates were missed. "
        + "The values shown are the latest ones again.", !complete);
  }

  function onerr(message) {
    notice("The server says: " + (message.message || message.body || "no reason given"), true);
  }

  /* The state with what is known of the feed behind the connection. */
  function shown() {
    if (state !== "live") {
      return state;
    }
    return store.isAnyStale() ? "stale" : (store.isCatchingUp() ? "behind" : "live");
  }

  /* What is wrong now, as {words, since, canRetry}; null when nothing is. */
  function problem() {
    if (state === "waiting" || (state === "connecting" && detail && detail.attempt > 0)) {
      return {
        words: losses ? "Connection lost: the values below are old."
          : "The server cannot be reached.",
        since: detail.lostAt, canRetry: state === "waiting"
      };
    }
    if (state === "closed") {
      return {words: "The server ended the connection: " + (detail.reason || "no reason given")
        + ". Reload the page to try again.", since: 0};
    }
    if (state === "silent") {
      return {words: "The server does not answer: the values below may be old.", since: 0};
    }
    if (shown() === "behind" && new Date().getTime() - liveAt > CATCH_UP_MS) {
      return {words: "Connected, but the latest values have not come yet: "
        + "what is shown may be old.", since: 0};
    }
    if (shown() === "stale") {
      return {words: "The feed behind this server is interrupted: greyed values are old.", since: 0};
    }
    return null;
  }

  function renderAlarm(trouble, time) {
    var clock = "";
    dom.show(dom.byId("alarm"), !!trouble);
    if (!trouble) {
      return;
    }
    dom.text(dom.byId("alarm-text"), trouble.words);
    if (trouble.since) {
      clock = format.age(time - trouble.since) + " ago"
        + (trouble.canRetry ? ", next try in " + format.age(detail.retryAt - time) : ", trying");
    }
    dom.text(dom.byId("alarm-clock"), clock);
    dom.show(dom.byId("retry"), !!trouble.canRetry);
  }

  /* What this page has no room for is never left out without a word. */
  function renderLeftOut() {
    dom.show(dom.byId("left-out"), store.forgotten() > 0);
    dom.text(dom.byId("left-out"), "This page keeps " + format.whole(store.count())
      + " topics. Those that were unchanged for longest are left out, "
      + format.whole(store.forgotten()) + " so far: watch fewer with ?filter= in the address.");
  }

  function title(words) {
    if (document.title !== words) {
      document.title = words;
    }
  }

  function render(perSecond) {
    var time = new Date().getTime(), trouble = problem();
    dom.text(dom.byId("state"), WORDS[shown()]);
    dom.className(dom.byId("connection"), shown());
    dom.className(document.body, trouble ? "troubled" : "");
    title(trouble ? WORDS[shown()] + " \u2013 Galop" : "Galop");
    dom.text(dom.byId("transport"), detail && detail.transport ? detail.transport : format.NONE);
    dom.text(dom.byId("rate"), format.rate(perSecond));
    dom.text(dom.byId("reconnects"), losses);
    renderAlarm(trouble, time);
    renderLeftOut();
    if (time > noticeUntil) {
      dom.show(dom.byId("notice"), false);
    }
  }

  dom.on(dom.byId("dismiss"), "click", function () { noticeUntil = 0; });

  return {onstate: onstate, onresumed: onresumed, onerr: onerr, render: render};
}());
