/* The table of one race's runners: rows are made once, and only cells that differ are written. */
galopPage.runners = (function () {
  var SORT_EVERY_MS = 2000;
  var dom = galopPage.dom, format = galopPage.format, store = galopPage.store;
  var body = dom.byId("runner-rows");
  var rows = {}, shown = null, sortedAt = 0, sortBy = "odds", descending = false;

  function cell(tr, tag, field) {
    return dom.add(tr, tag, {
      "class": field, "data-field": field, role: tag === "th" ? "rowheader" : "cell"
    });
  }

  function makeRow(runner) {
    var tr = dom.add(body, "tr", {"data-topic": runner.topic, role: "row"}), head;
    var row = {runner: runner, tr: tr, seen: runner.changes, flash: "", drawn: -1};
    row.cloth = dom.add(cell(tr, "td", "number"), "span", {"class": "cloth"});
    head = cell(tr, "th", "name");
    head.setAttribute("scope", "row");
    row.name = dom.add(head, "span", {});
    row.tag = dom.add(head, "span", {"class": "tag"});
    row.odds = cell(tr, "td", "odds");
    row.change = cell(tr, "td", "change");
    row.canvas = dom.add(cell(tr, "td", "trend"), "canvas", {"class": "spark", "aria-hidden": "true"});
    row.chanceCell = cell(tr, "td", "chance");
    row.chance = dom.add(row.chanceCell, "span", {});
    row.bar = dom.add(dom.add(row.chanceCell, "div", {"class": "track"}), "div", {"class": "bar"});
    row.volume = cell(tr, "td", "volume");
    row.age = cell(tr, "td", "age");
    return row;
  }

  function direction(runner) {
    return runner.was > runner.odds ? "down" : (runner.was < runner.odds ? "up" : "");
  }

  function renderOdds(row, runner, moved) {
    if (row.seen !== runner.changes) {
      row.seen = runner.changes;
      row.flash = " " + moved + " flash" + runner.changes % 2;
    }
    dom.text(row.odds, format.odds(runner.odds));
    dom.className(row.odds, "odds" + row.flash);
    dom.text(row.change, moved
      ? (moved === "up" ? "\u25B2 " : "\u25BC ") + format.signed(runner.odds - runner.was, 2)
      : format.NONE);
    dom.className(row.change, "change " + moved);
  }

  function renderChance(row, runner, book) {
    var chance = runner.odds > 0 && !runner.withdrawn && book ? 100 / runner.odds / book : NaN;
    dom.text(row.chance, isNaN(chance) ? format.NONE : chance.toFixed(1) + " %");
    row.bar.style.width = (chance || 0).toFixed(1) + "%";
  }

  function renderAge(row, entry) {
    var freshness = entry ? store.freshness(entry) : "old";
    dom.text(row.age, !entry ? format.NONE
      : format.age(store.ageMs(entry)) + (freshness === "stale" ? " stale" : ""));
    dom.attribute(row.age, "title", entry ? "Measured " + format.dateTime(entry.timeMs) : "");
    return freshness;
  }

  function clothOf(number) {
    return "cloth cloth" + (number >= 1 && number <= 12 ? number : 0);
  }

  function renderRow(row, totals) {
    var runner = row.runner, moved = direction(runner);
    var freshness = renderAge(row, runner.entry);
    dom.text(row.cloth, runner.number || "?");
    dom.className(row.cloth, clothOf(runner.number));
    dom.text(row.name, runner.name || runner.id);
    dom.text(row.tag, runner.withdrawn ? "withdrawn" : (runner.won ? "winner" : ""));
    dom.show(row.tag, runner.withdrawn || runner.won);
    renderOdds(row, runner, moved);
    renderChance(row, runner, totals.book);
    dom.text(row.volume, format.whole(runner.volume));
    dom.className(row.tr, "is-" + freshness + (runner.withdrawn ? " withdrawn" : "")
      + (runner.won ? " won" : "") + (totals.favourite === runner ? " favourite" : ""));
    if (row.drawn !== runner.trend.version) {
      row.drawn = runner.trend.version;
      galopPage.plot.spark(row.canvas, runner.trend,
        runner.trend.last() < runner.trend.values[0] ? "--down" : "--up");
    }
  }

  function compare(a, b) {
    var x = a[sortBy], y = b[sortBy], order;
    if (sortBy === "name") {
      order = (x || a.id) < (y || b.id) ? -1 : 1;
    } else if (isNaN(x) || isNaN(y)) {
      return (isNaN(x) ? 1 : 0) - (isNaN(y) ? 1 : 0) || a.number - b.number;
    } else {
      order = x - y || (a.number - b.number) * (descending ? -1 : 1);
    }
    return descending ? -order : order;
  }

  /* Rows that jump are hard to read: the order changes every two seconds at most. */
  function sort(race, time) {
    var i, ordered = race.order.slice(0), elements = [];
    sortedAt = time;
    ordered.sort(function (a, b) {
      return (a.withdrawn ? 1 : 0) - (b.withdrawn ? 1 : 0) || compare(a, b);
    });
    for (i = 0; i < ordered.length; i++) {
      elements.push(rows["/" + ordered[i].id].tr);
    }
    dom.arrange(body, elements);
  }

  function render(race, totals, time) {
    var i, runner, added = false;
    if (shown !== race) {
      dom.clear(body);
      rows = {};
      shown = race;
      sortedAt = 0;
    }
    for (i = 0; i < race.order.length; i++) {
      runner = race.order[i];
      if (!rows["/" + runner.id]) {
        rows["/" + runner.id] = makeRow(runner);
        added = true;
      }
      renderRow(rows["/" + runner.id], totals);
    }
    if (added || time - sortedAt > SORT_EVERY_MS) {
      sort(race, time);
    }
  }

  function markSorted(buttons) {
    var i, header, field;
    for (i = 0; i < buttons.length; i++) {
      header = buttons[i].parentNode;
      field = buttons[i].getAttribute("data-sort");
      dom.attribute(header, "aria-sort",
        field !== sortBy ? "none" : (descending ? "descending" : "ascending"));
    }
  }

  function onSort(button, buttons) {
    dom.on(button, "click", function () {
      var field = button.getAttribute("data-sort");
      descending = field === sortBy ? !descending : field === "volume";
      sortBy = field;
      sortedAt = 0;
      markSorted(buttons);
    });
  }

  (function () {
    var i, buttons = dom.byId("runners").getElementsByTagName("button");
    for (i = 0; i < buttons.length; i++) {
      onSort(buttons[i], buttons);
    }
    markSorted(buttons);
  }());

  return {render: render};
}());
