/* One sensor on the screen: value, unit, plot over time, minimum and maximum. */
galopPage.sensorCard = (function () {
  var MAX_POINTS = 3000, HIDDEN_POINTS = 60, DRAW_EVERY_MS = 250, MIN_SPAN_MS = 10000;
  var dom = galopPage.dom, format = galopPage.format, store = galopPage.store;

  /* Of a sensor that is not on the screen a few values are kept; the others are asked for again. */
  function series() {
    return new galopPage.Series(HIDDEN_POINTS);
  }

  function prefill(sensor) {
    sensor.cancel = galopPage.history.fetch(sensor.topic, MAX_POINTS, function (problem, records) {
      var i, times = [], values = [];
      sensor.cancel = null;
      for (i = 0; i < records.length; i++) {
        if (records[i].data && format.isNumber(records[i].data.value)) {
          times.push(records[i].time / 1000);
          values.push(records[i].data.value);
        }
      }
      sensor.series.putBefore(times, values);
    });
  }

  function show(sensor, grid) {
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
    card.span = dom.add(line, "span", {"class": "dim", "data-field": "span"});
    sensor.card = card;
    sensor.drawnAt = 0;
    sensor.series.limit = MAX_POINTS;
    prefill(sensor);
  }

  function hide(sensor) {
    sensor.card.box.parentNode.removeChild(sensor.card.box);
    sensor.card = null;
    sensor.series.limit = HIDDEN_POINTS;
    if (sensor.cancel) {
      sensor.cancel();
      sensor.cancel = null;
    }
  }

  function renderBounds(sensor, card) {
    var extent = sensor.series.extent(-Infinity), times = sensor.series.times;
    var unit = sensor.entry.data.unit ? " " + sensor.entry.data.unit : "";
    var gaps = galopPage.plot.gapWords(sensor.series);
    var label = "min " + format.number(extent.min) + unit + ", max " + format.number(extent.max) + unit;
    dom.text(card.low, "\u2193 min " + format.number(extent.min) + unit);
    dom.text(card.high, "\u2191 max " + format.number(extent.max) + unit);
    dom.text(card.span, "over " + format.age(times[times.length - 1] - times[0]) + gaps);
    dom.attribute(card.canvas, "aria-label", "Plot of " + sensor.name + ": " + label + gaps);
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

  function render(sensor, time) {
    var card = sensor.card, freshness = store.freshness(sensor.entry);
    dom.text(card.title, sensor.name);
    dom.text(card.value, format.number(sensor.entry.data.value));
    dom.text(card.unit, sensor.entry.data.unit || "");
    dom.text(card.age, format.age(store.ageMs(sensor.entry))
      + (freshness === "stale" ? " stale" : ""));
    dom.className(card.box, "card is-" + freshness);
    draw(sensor, card, time);
  }

  return {series: series, show: show, hide: hide, render: render};
}());
