/*
 * Races and their runners, made from race/<market>/status and race/<market>/runner/<id>. The two
 * may arrive in any order; names may stand in either.
 */
galopPage.races = (function () {
  var MAX_RACES = 200, MAX_RUNNERS = 1000, MAX_TREND = 240;
  var format = galopPage.format;
  /* Keys begin with a slash: a market may be called "constructor". */
  var races = {}, count = 0, version = 0, forgotten = 0;

  function race(market) {
    var key = "/" + market;
    if (!races[key]) {
      if (count >= MAX_RACES) {
        forgetOldest();
      }
      races[key] = {
        market: market, name: "", status: "", inPlay: false, startMs: NaN,
        runners: {}, order: [], changedMs: 0, left: {}, leftCount: 0
      };
      count++;
      version++;
    }
    return races[key];
  }

  function forgetOldest() {
    var key, oldest = null;
    for (key in races) {
      if (!oldest || races[key].changedMs < oldest.changedMs) {
        oldest = races[key];
      }
    }
    delete races["/" + oldest.market];
    count--;
    forgotten++;
  }

  function runner(of, id) {
    var key = "/" + id;
    if (!of.runners[key] && of.order.length < MAX_RUNNERS) {
      of.runners[key] = {
        id: id, number: 0, name: "", odds: NaN, was: NaN, volume: NaN, withdrawn: false, won: false,
        changes: 0, trend: new galopPage.Series(MAX_TREND), entry: null,
        topic: "race/" + of.market + "/runner/" + id
      };
      of.order.push(of.runners[key]);
      version++;
    } else if (!of.runners[key] && !of.left[key]) {
      of.left[key] = true;
      of.leftCount++;
    }
    return of.runners[key];
  }

  /* Where and which race, without saying the place twice. */
  function titleOf(data) {
    var name = data.name || "", venue = data.venue || "";
    return name.indexOf(venue) >= 0 ? name : (venue + " " + name);
  }

  function onStatus(of, data) {
    var i, listed, one;
    of.name = titleOf(data) || of.name;
    of.status = String(data.status || "").toUpperCase();
    of.inPlay = data.inPlay === true;
    of.startMs = format.parseTime(data.start);
    for (i = 0; data.runners && i < data.runners.length; i++) {
      listed = data.runners[i];
      one = runner(of, String(listed.id));
      if (one) {
        one.number = listed.number || i + 1;
        one.name = listed.name || one.name;
        one.withdrawn = /^REMOVED|^WITHDRAWN/i.test(listed.status || "");
        one.won = /^WINNER/i.test(listed.status || "");
      }
    }
    version++;
  }

  function onRunner(of, id, entry) {
    var data = entry.data, one = runner(of, id);
    if (!one) {
      return;
    }
    one.entry = entry;
    one.name = data.name || one.name;
    one.volume = format.isNumber(data.volume) ? data.volume : one.volume;
    if (format.isNumber(data.odds)) {
      if (data.odds !== one.odds) {
        one.was = one.odds;
        one.changes += isNaN(one.odds) ? 0 : 1;
        one.odds = data.odds;
      }
      one.trend.push(entry.timeMs, data.odds);
    }
  }

  galopPage.store.onput(function (entry) {
    var levels = entry.topic.split("/"), of;
    var isStatus = levels.length === 3 && levels[2] === "status";
    if (levels[0] !== "race" || !entry.data
        || !(isStatus || (levels.length === 4 && levels[2] === "runner"))) {
      return;
    }
    of = race(levels[1]);
    of.changedMs = entry.originMs;
    if (isStatus) {
      of.entry = entry;
      onStatus(of, entry.data);
    } else {
      onRunner(of, levels[3], entry);
    }
  });

  /* "open", "in play", "suspended", "closed" or "unknown". */
  function phase(of) {
    if (of.status === "CLOSED") {
      return "closed";
    }
    if (of.status === "SUSPENDED") {
      return "suspended";
    }
    return of.inPlay ? "in play" : (of.status ? "open" : "unknown");
  }

  function rank(of) {
    return phase(of) === "closed" ? 1 : 0;
  }

  /* Next to start first, closed ones last. */
  function list() {
    var key, all = [];
    for (key in races) {
      if (races.hasOwnProperty(key)) {
        all.push(races[key]);
      }
    }
    return all.sort(function (a, b) {
      return rank(a) - rank(b) || (a.startMs || 0) - (b.startMs || 0)
        || (a.market < b.market ? -1 : 1);
    });
  }

  /* Fills the trends with what was before the page was opened. */
  function prefill(of, records) {
    var found = {}, i, id, levels;
    for (i = 0; i < records.length; i++) {
      levels = (records[i].topic || "").split("/");
      id = "/" + levels[3];
      if (levels[2] === "runner" && of.runners[id] && records[i].data
          && format.isNumber(records[i].data.odds)) {
        found[id] = found[id] || {times: [], values: []};
        found[id].times.push(records[i].time / 1000);
        found[id].values.push(records[i].data.odds);
      }
    }
    for (id in found) {
      if (found.hasOwnProperty(id)) {
        of.runners[id].trend.putBefore(found[id].times, found[id].values);
      }
    }
  }

  /* Volume matched, the book (sum of 1/odds, 1 is fair) and the favourite of the priced runners. */
  function totals(of) {
    var i, one, sum = {volume: 0, book: 0, priced: 0, favourite: null};
    for (i = 0; i < of.order.length; i++) {
      one = of.order[i];
      sum.volume += one.volume || 0;
      if (one.odds > 0 && !one.withdrawn) {
        sum.book += 1 / one.odds;
        sum.priced++;
        if (!sum.favourite || one.odds < sum.favourite.odds) {
          sum.favourite = one;
        }
      }
    }
    return sum;
  }

  return {
    list: list, phase: phase, prefill: prefill, totals: totals,
    get: function (market) { return races["/" + market] || null; },
    version: function () { return version; },
    forgotten: function () { return forgotten; }
  };
}());
