/* The history of one topic: a numeric field over time, as a plot and as a table. */
galopPage.topicPlot = (function () {
  var TABLE_ROWS = 200, DRAW_EVERY_MS = 500, DEFAULT_LIMIT = 10000;
  var PREFERRED = ["odds", "value", "price", "volume"];
  var dom = galopPage.dom, format = galopPage.format;
  var canvas = dom.byId("topic-plot"), select = dom.byId("topic-field");
  var toggle = dom.byId("topic-table-toggle"), tbody = dom.byId("topic-rows");
  var topic = null, field = "", records = [], series = null, cancel = null, limit = DEFAULT_LIMIT;
  var drawn = null, drawnAt = 0, cursorX = -1, tableShown = !dom.context(canvas);

  function say(problem) {
    dom.text(dom.byId("topic-problem"), problem);
  }

  function addOptions(data) {
    var fields = format.numericFields(data), i, known = {};
    for (i = 0; i < select.options.length; i++) {
      known["/" + select.options[i].value] = true;
    }
    for (i = 0; i < fields.length; i++) {
      if (!known["/" + fields[i]]) {
        dom.add(select, "option", {value: fields[i]}, fields[i]);
      }
    }
  }

  function preferred() {
    var i, j;
    for (i = 0; i < PREFERRED.length; i++) {
      for (j = 0; j < select.options.length; j++) {
        if (select.options[j].value === PREFERRED[i]) {
          return PREFERRED[i];
        }
      }
    }
    return select.options.length ? select.options[0].value : "";
  }

  function chooseField() {
    if (!field) {
      field = preferred();
      select.value = field;
    }
  }

  function append(record) {
    var value = field ? format.field(record.data, field) : undefined;
    if (format.isNumber(value)) {
      series.push(record.time / 1000, value);
    }
  }

  function rebuild() {
    var i;
    series = new galopPage.Series(limit);
    for (i = Math.max(0, records.length - limit); i < records.length; i++) {
      append(records[i]);
    }
    drawn = null;
  }

  /* Records that came in while the answer was under way are kept behind it. */
  function onHistory(problem, fetched) {
    var i, last = fetched.length ? fetched[fetched.length - 1].time : -1, newer = [];
    cancel = null;
    for (i = 0; i < records.length; i++) {
      if (records[i].time > last) {
        newer.push(records[i]);
      }
    }
    records = fetched.concat(newer);
    if (records.length) {
      addOptions(records[records.length - 1].data);
    }
    chooseField();
    rebuild();
    say(problem ? "No history: " + problem + "."
      : (records.length ? "" : "No records are kept for this topic."));
  }

  function reload() {
    if (cancel) {
      cancel();
    }
    limit = Number(dom.byId("topic-limit").value) || DEFAULT_LIMIT;
    say("Loading\u2026");
    cancel = galopPage.history.fetch(topic, limit, onHistory);
  }

  function recordOf(entry) {
    return {time: entry.timeMs * 1000, data: entry.data};
  }

  function open(entry) {
    topic = entry.topic;
    field = "";
    records = [recordOf(entry)];
    dom.clear(select);
    addOptions(entry.data);
    chooseField();
    rebuild();
    reload();
  }

  galopPage.store.onput(function (entry) {
    if (entry.topic === topic) {
      records.push(recordOf(entry));
      if (records.length > limit * 1.2) {
        records.splice(0, records.length - limit);
      }
      append(records[records.length - 1]);
    }
  });

  function readout(index) {
    var extent;
    if (index >= 0) {
      return format.dateTime(series.times[index]) + "   " + field + " "
        + format.number(series.values[index]);
    }
    extent = series.extent(-Infinity);
    return extent ? format.whole(series.size())
      + (series.size() === 1 ? " record, " : " records, ") + field + " from "
      + format.number(extent.min) + " to " + format.number(extent.max)
      + galopPage.plot.gapWords(series) : "\u00A0";
  }

  function renderTable() {
    var i, tr, from = series.size() - 1;
    dom.clear(tbody);
    dom.text(dom.byId("topic-table-words"), series.size() > TABLE_ROWS
      ? "The newest " + TABLE_ROWS + " of " + format.whole(series.size()) + " records, newest first"
      : "Newest records first");
    for (i = from; i >= 0 && i > from - TABLE_ROWS; i--) {
      tr = dom.add(tbody, "tr", {});
      dom.add(tr, "td", {}, format.dateTime(series.times[i]));
      dom.add(tr, "td", {"class": "figure"}, format.number(series.values[i]));
    }
  }

  function render(time) {
    var state, index;
    if (!series || time - drawnAt < DRAW_EVERY_MS && cursorX < 0) {
      return;
    }
    state = series.version + "/" + cursorX + "/" + tableShown + "/" + canvas.clientWidth + "/"
      + dom.styled("--accent", "");
    if (state === drawn) {
      return;
    }
    drawn = state;
    drawnAt = time;
    dom.show(canvas, !!dom.context(canvas) && series.size() > 0);
    index = galopPage.plot.draw(canvas, series, {color: "--accent", cursorX: cursorX});
    dom.text(dom.byId("topic-readout"), readout(index));
    dom.attribute(canvas, "aria-label", "History plot: " + readout(-1));
    dom.show(dom.byId("topic-table"), tableShown);
    dom.attribute(toggle, "aria-expanded", tableShown);
    dom.text(toggle, tableShown ? "Hide the table" : "Show as table");
    if (tableShown) {
      renderTable();
    }
  }

  function point(event) {
    var touch = event.touches && event.touches[0];
    cursorX = (touch || event).clientX - canvas.getBoundingClientRect().left;
  }

  dom.on(canvas, "mousemove", point);
  dom.on(canvas, "touchmove", point);
  dom.on(canvas, "mouseout", function () { cursorX = -1; });
  dom.on(canvas, "touchend", function () { cursorX = -1; });
  dom.on(select, "change", function () { field = select.value; rebuild(); });
  dom.on(dom.byId("topic-limit"), "change", reload);
  dom.on(dom.byId("topic-reload"), "click", reload);
  dom.on(toggle, "click", function () { tableShown = !tableShown; });

  return {open: open, render: render};
}());
