/* The race board: the list of races, the head of the chosen one, and its table of runners. */
galopPage.board = (function () {
  var SOON_MS = 60000, PREFILL = 3000;
  var dom = galopPage.dom, format = galopPage.format, races = galopPage.races;
  var list = dom.byId("race-list");
  var items = {}, chosen = null, chosenByUser = false, prefilled = {};
  var ICONS = {open: "\u25CB", "in play": "\u25B6", suspended: "\u275A\u275A", closed: "\u25A0",
    unknown: "?"};

  function choose(market, byUser) {
    chosen = market;
    chosenByUser = chosenByUser || byUser;
  }

  function makeItem(race) {
    var li = dom.add(list, "li", {});
    var button = dom.add(li, "button", {type: "button", "data-race": race.market});
    dom.on(button, "click", function () { choose(race.market, true); });
    return {
      race: race, li: li, button: button,
      name: dom.add(button, "span", {"class": "race-item-name"}),
      clock: dom.add(button, "span", {"class": "race-item-clock"}),
      phase: dom.add(button, "span", {"class": "race-item-phase"})
    };
  }

  /* Seconds count only before the start, and until a race is over. */
  function clockOf(race, time) {
    var left = race.startMs - time;
    if (isNaN(left) || races.phase(race) === "closed") {
      return "";
    }
    return format.countdown(left);
  }

  function isSoon(race, time) {
    var left = race.startMs - time;
    return left > 0 && left < SOON_MS && races.phase(race) === "open";
  }

  function renderList(all, time) {
    var i, race, item, phase, elements = [], key, kept = {};
    for (i = 0; i < all.length; i++) {
      race = all[i];
      key = "/" + race.market;
      item = items[key] && items[key].race === race ? items[key] : makeItem(race);
      kept[key] = item;
      phase = races.phase(race);
      dom.text(item.name, race.name || race.market);
      dom.text(item.phase, ICONS[phase] + " " + phase);
      dom.text(item.clock, clockOf(race, time));
      dom.className(item.button, "race-item " + phase.replace(" ", "-")
        + (isSoon(race, time) ? " soon" : ""));
      dom.attribute(item.button, "aria-current", race.market === chosen ? "true" : "false");
      elements.push(item.li);
    }
    for (key in items) {
      if (items.hasOwnProperty(key) && kept[key] !== items[key]) {
        list.removeChild(items[key].li);
      }
    }
    items = kept;
    dom.arrange(list, elements);
    dom.show(dom.byId("race-more"), races.forgotten() > 0);
    dom.text(dom.byId("race-more"), format.whole(all.length) + " races are kept; "
      + format.whole(races.forgotten()) + " that were unchanged for longest were let go.");
  }

  function dayOf(race, time) {
    var day = format.day(race.startMs);
    return day === format.day(time) ? "" : " on " + day;
  }

  function renderHead(race, totals, time) {
    var phase = races.phase(race), left = race.startMs - time;
    dom.text(dom.byId("race-name"), race.name || "Race " + race.market);
    dom.text(dom.byId("race-phase"), ICONS[phase] + " " + phase);
    dom.className(dom.byId("race-phase"), "phase " + phase.replace(" ", "-"));
    dom.text(dom.byId("race-start"), isNaN(race.startMs) ? "market " + race.market
      : "start " + format.clock(race.startMs).substring(0, 5) + dayOf(race, time) + ", market "
        + race.market);
    dom.show(dom.byId("race-clock-box"), !!clockOf(race, time));
    dom.text(dom.byId("race-clock-label"), left > 0 ? "starts in" : "since the start");
    dom.text(dom.byId("race-clock"), clockOf(race, time));
    dom.className(dom.byId("race-clock"), isSoon(race, time) ? "soon" : "");
    dom.text(dom.byId("race-runners"), totals.priced + " priced of " + race.order.length
      + (race.leftCount ? ", " + format.whole(race.leftCount) + " more not shown" : ""));
    dom.text(dom.byId("race-favourite"), totals.favourite
      ? (totals.favourite.name || totals.favourite.id) + " " + format.odds(totals.favourite.odds)
      : format.NONE);
    dom.text(dom.byId("race-volume"), totals.volume ? format.whole(totals.volume) : format.NONE);
    dom.text(dom.byId("race-book"), totals.priced ? (totals.book * 100).toFixed(1) + " %"
      : format.NONE);
  }

  function prefill(race) {
    if (!prefilled["/" + race.market]) {
      prefilled["/" + race.market] = true;
      galopPage.history.fetch("race/" + race.market + "/runner/+", PREFILL,
        function (problem, records) { races.prefill(race, records); });
    }
  }

  /* Until the user has chosen, the next race to start is shown. */
  function current(all) {
    var race = chosen === null ? null : races.get(chosen);
    if (all.length && (!race || (!chosenByUser && races.phase(race) === "closed"))) {
      race = all[0];
      choose(race.market, false);
    }
    return race;
  }

  function render(time) {
    var all = races.list(), race = current(all), totals;
    dom.show(dom.byId("race-empty"), !race);
    dom.show(dom.byId("race-card"), !!race);
    renderList(all, time);
    if (race) {
      totals = races.totals(race);
      prefill(race);
      renderHead(race, totals, time);
      galopPage.runners.render(race, totals, time);
    }
  }

  return {render: render};
}());
