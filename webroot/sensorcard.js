/* One sensor on the screen: value, unit, plot over time, minimum and maximum. */
galopPage.sensorCard = (function () {
  var BUCKETS = 300, MINUTES = [1, 2, 5, 10, 15, 30, 60], SEVERAL = 3, range = {seconds: 600, bucket: 2};
  var MAX_POINTS = 3000, HIDDEN_POINTS = 60, DRAW_EVERY_MS = 250, MIN_SPAN_MS = 10000;
  var dom = galopPage.dom, format = galopPage.format, store = galopPage.store;

  /* Of a sensor that is not on the screen a few values are kept; the others are asked for again. */
  function series() {
    return new galopPage.Series(HIDDEN_POINTS);
  }

  /* A bucket that is not over is as long as it has been until the live value behind it. */
  function widthMs(row, bucketMs, series) {
    return series.size() ? Math.max(0, Math.min(bucketMs, series.times[0] - row.time / 1000)) : bucketMs;
  }

  /* Each bucket as its smallest and largest value; where it has but one, that in its middle. */
  function putRow(row, width, times, values) {
    var of = row.data.value, startMs = row.time / 1000;
    if (of.min === of.max) {
      times.push(startMs + width / 2);
      values.push(of.min);
    } else {
      times.push(startMs + width / 4, startMs + width * 3 / 4);
      values.push(of.min, of.max);
    }
  }

  /* A bucket that is missing between two that have several values is a gap. */
  function isBreak(before, row, bucketMs) {
    return row.time - before.time > bucketMs * 1500
      && row.data.value.count >= SEVERAL && before.data.value.count >= SEVERAL;
  }

  function putRows(sensor, rows, bucketMs) {
    var i, times = [], values = [], width;
    for (i = 0; i < rows.length; i++) {
      width = widthMs(rows[i], bucketMs, sensor.series);
      if (i && isBreak(rows[i - 1], rows[i], bucketMs)) {
        sensor.series.breakAt(rows[i].time / 1000
          + width / (rows[i].data.value.min === rows[i].data.value.max ? 2 : 4));
      }
      putRow(rows[i], width, times, values);
    }
    sensor.series.putBefore(times, values);
  }

  function prefill(sensor) {
    var asked = range, from = sensor.entry.timeMs - asked.seconds * 1000;
    sensor.problem = "";
    sensor.cancel = galopPage.history.rows(sensor.topic, "value", from * 1000, asked.bucket,
      function (problem, rows, lacks) {
        sensor.cancel = null;
        sensor.problem = problem ? "no history: " + problem : lacks;
        putRows(sensor, rows, asked.bucket * 1000);
      });
  }

  /* Of live values those are kept that their bucket's extremes are: so few, that a day has room. */
  function push(sensor, entry) {
    var value = entry.data.value, bucket = Math.floor(entry.timeMs / 1000 / range.bucket);
    if (!sensor.card) {
      sensor.series.push(entry.timeMs, value);
      return;
    }
    if (bucket !== sensor.bucket || value < sensor.low || value > sensor.high) {
      sensor.low = bucket === sensor.bucket ? Math.min(sensor.low, value) : value;
      sensor.high = bucket === sensor.bucket ? Math.max(sensor.high, value) : value;
      sensor.bucket = bucket;
      sensor.series.push(entry.timeMs, value);
    }
    sensor.series.dropBefore(entry.timeMs - range.seconds * 1000);
  }

  /* Begins anew with another range. */
  function load(sensor) {
    if (sensor.cancel) {
      sensor.cancel();
    }
    sensor.series = series();
    sensor.series.limit = MAX_POINTS;
    sensor.series.push(sensor.entry.timeMs, sensor.entry.data.value);
    sensor.bucket = null;
    prefill(sensor);
  }

  /* Long ones are minutes that an hour has, or hours: of these a node may have roll-ups. */
  function bucket(seconds) {
    var least = Math.max(1, Math.ceil(seconds / BUCKETS)), i;
    for (i = 0; least > 30 && i < MINUTES.length; i++) {
      if (MINUTES[i] * 60 >= least) {
        return MINUTES[i] * 60;
      }
    }
    return least > 3600 ? Math.ceil(least / 3600) * 3600 : least;
  }

  /* Plots so many seconds from now on; the buckets follow. */
  function setRange(seconds) {
    range = {seconds: seconds, bucket: bucket(seconds)};
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
    sensor.bucket = null;
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
    dom.text(card.span, "over " + format.age(times[times.length - 1] - times[0]) + gaps
      + (sensor.problem ? ", " + sensor.problem : ""));
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

  return {series: series, push: push, load: load, setRange: setRange, show: show, hide: hide, render: render};
}());
