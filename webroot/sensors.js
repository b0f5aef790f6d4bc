/* One card per sensor: value, unit, plot over time, minimum and maximum. */
galopPage.sensors = (function () {
  var MAX_SENSORS = 60, MAX_POINTS = 3000, DRAW_EVERY_MS = 250, MIN_SPAN_MS = 10000;
  var dom = galopPage.dom, format = galopPage.format, store = galopPage.store;
  var grid = dom.byId("sensor-cards");
  var sensors = {}, order = [];

  function add(topic) {
    var sensor = {
      topic: topic, entry: null, series: new galopPage.Series(MAX_POINTS), card: null,
      drawn: 0, drawnAt: 0
    };
    sensors["/" + topic] = sensor;
    order.push(sensor);
    order.sort(function (a, b) { return a.topic < b.topic ? -1 : 1; });
    return sensor;
  }

  store.onput(function (entry) {
    var sensor;
    if (entry.topic.indexOf("sensor/") !== 0 || !entry.data
        || !format.isNumber(entry.data.value)) {
      return;
    }
    sensor = sensors["/" + entry.topic] || (order.length < MAX_SENSORS ? add(entry.topic) : null);
    if (sensor) {
      sensor.entry = entry;
      sensor.series.push(entry.timeMs, entry.data.value);
    }
  });

  function prefill(sensor) {
    galopPage.history.fetch(sensor.topic, MAX_POINTS, function (problem, records) {
      var i, times = [], values = [];
      for (i = 0; i < records.length; i++) {
        if (records[i].data && format.isNumber(records[i].data.value)) {
          times.push(records[i].time / 1000);
          values.push(records[i].data.value);
        }
      }
      sensor.series.putBefore(times, values);
    });
  }

  function makeCard(sensor) {
    var box = dom.add(grid, "div", {"class": "card", "data-topic": sensor.topic, role: "group"});
    var card = {box: box, title: dom.add(box, "h2", {})};
    var line = dom.add(box, "p", {"class": "reading"});
    card.value = dom.add(line, "span", {"class": "value", "data-field": "value"});
    card.unit = dom.add(line, "span", {"class": "unit", "data-field": "unit"});
    card.age = dom.add(line, "span", {"class": "age", "data-field": "age"});
    card.canvas = dom.add(box, "canvas", {"class": "sensor-plot", role: "img"});
    line = dom.add(box, "p", {"class": "bounds"});
    card.low = dom.add(line, "span", {"data-field": "min"});
    card.high = dom.add(line, "span", {"data-field": "max"});
    card.span = dom.add(line, "span", {"class": "dim"});
    prefill(sensor);
    return card;
  }

  function nameOf(sensor) {
    return sensor.entry.data.name || sensor.topic.substring("sensor/".length);
  }

  function renderBounds(sensor, card) {
    var extent = sensor.series.extent(-Infinity), times = sensor.series.times;
    var unit = sensor.entry.data.unit ? " " + sensor.entry.data.unit : "";
    var label = "min " + format.number(extent.min) + unit + ", max " + format.number(extent.max) + unit;
    dom.text(card.low, "\u2193 min " + format.number(extent.min) + unit);
    dom.text(card.high, "\u2191 max " + format.number(extent.max) + unit);
    dom.text(card.span, "over " + format.age(times[times.length - 1] - times[0]));
    dom.attribute(card.canvas, "aria-label", "Plot of " + nameOf(sensor) + ": " + label);
  }

  /*
   * The right end of the plot is now, so that a silent sensor's line visibly falls behind; but what
   * there is keeps half of the plot.
   */
  function rightEnd(sensor, time) {
    var times = sensor.series.times, last = times[times.length - 1];
    return Math.min(time, last + Math.max(last - times[0], MIN_SPAN_MS));
  }

  function draw(sensor, card, time) {
    var entry = sensor.entry;
    if (time - sensor.drawnAt < DRAW_EVERY_MS) {
      return;
    }
    sensor.drawnAt = time;
    renderBounds(sensor, card);
    galopPage.plot.draw(card.canvas, sensor.series, {
      color: "--accent", toMs: entry.originMs === entry.timeMs ? rightEnd(sensor, time) : 0
    });
  }

  function render(time) {
    var i, sensor, card, freshness, elements = [];
    dom.show(dom.byId("sensors-empty"), !order.length);
    for (i = 0; i < order.length; i++) {
      sensor = order[i];
      card = sensor.card = sensor.card || makeCard(sensor);
      freshness = store.freshness(sensor.entry);
      dom.text(card.title, nameOf(sensor));
      dom.text(card.value, format.number(sensor.entry.data.value));
      dom.text(card.unit, sensor.entry.data.unit || "");
      dom.text(card.age, format.age(store.ageMs(sensor.entry))
        + (freshness === "stale" ? " stale" : ""));
      dom.className(card.box, "card is-" + freshness);
      draw(sensor, card, time);
      elements.push(card.box);
    }
    dom.arrange(grid, elements);
  }

  return {render: render};
}());
