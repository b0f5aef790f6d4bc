/*
 * All sensors: sorted, searched, and PAGE of them at a time as cards. How many there are, and which
 * of them are shown, stands above them.
 */
galopPage.sensors = (function () {
  var PAGE = 60, LIST_EVERY_MS = 1000, DIGITS = "000000000000";
  var dom = galopPage.dom, format = galopPage.format, store = galopPage.store;
  var card = galopPage.sensorCard, grid = dom.byId("sensor-cards");
  var search = dom.byId("sensor-search"), order = dom.byId("sensor-order");
  var range = dom.byId("sensor-range");
  var sensors = {}, count = 0, shown = [], first = 0, isListed = false, listedAt = 0;

  /* A browser may have kept another choice over a reload. */
  card.setRange(Number(range.value));

  /* Sorts numbers within names by their value. */
  function sortable(name) {
    return name.toLowerCase().replace(/\d+/g, function (digits) {
      return DIGITS.substring(Math.min(digits.length, DIGITS.length)) + digits;
    });
  }

  function rename(sensor) {
    var name = String(sensor.entry.data.name || sensor.topic.substring("sensor/".length));
    if (name !== sensor.name) {
      sensor.name = name;
      sensor.sortable = sortable(name);
    }
  }

  store.onput(function (entry) {
    var key = "/" + entry.topic, sensor = sensors[key];
    if (entry.topic.indexOf("sensor/") !== 0 || !entry.data
        || !format.isNumber(entry.data.value)) {
      return;
    }
    if (!sensor) {
      sensor = sensors[key] = {topic: entry.topic, name: "", series: card.series(), card: null};
      count++;
      isListed = false;
    }
    sensor.entry = entry;
    card.push(sensor, entry);
    rename(sensor);
  });

  store.onforget(function (topic) {
    if (sensors["/" + topic]) {
      delete sensors["/" + topic];
      count--;
      isListed = false;
    }
  });

  function byName(a, b) {
    return a.sortable < b.sortable ? -1 : (a.sortable > b.sortable ? 1
      : (a.topic < b.topic ? -1 : 1));
  }

  function byNeed(a, b) {
    return (b.isStale ? 1 : 0) - (a.isStale ? 1 : 0) || byName(a, b);
  }

  function matching() {
    var wanted = search.value.toLowerCase(), found = [], key, sensor;
    for (key in sensors) {
      if (sensors.hasOwnProperty(key)) {
        sensor = sensors[key];
        sensor.isStale = store.freshness(sensor.entry) === "stale";
        if ((sensor.name + "\n" + sensor.topic).toLowerCase().indexOf(wanted) >= 0) {
          found.push(sensor);
        }
      }
    }
    return found.sort(order.value === "name" ? byName : byNeed);
  }

  function put(next) {
    var i, elements = [];
    for (i = 0; i < next.length; i++) {
      next[i].isNext = true;
    }
    for (i = 0; i < shown.length; i++) {
      if (!shown[i].isNext) {
        card.hide(shown[i]);
      }
    }
    for (i = 0; i < next.length; i++) {
      next[i].isNext = false;
      if (!next[i].card) {
        card.show(next[i], grid);
      }
      elements.push(next[i].card.box);
    }
    shown = next;
    dom.arrange(grid, elements);
  }

  function words(found) {
    var stale = 0, i, all = format.whole(count) + (count === 1 ? " sensor" : " sensors");
    for (i = 0; i < found.length; i++) {
      stale += found[i].isStale ? 1 : 0;
    }
    if (!found.length) {
      return "None of " + all + " matches.";
    }
    return (first + 1) + "\u2013" + (first + shown.length) + " of "
      + (search.value ? format.whole(found.length) + " that match, of " : "") + all
      + (stale ? ", " + format.whole(stale) + " stale" : "");
  }

  function list() {
    var found = matching();
    first = Math.max(0, Math.min(first, Math.floor((found.length - 1) / PAGE) * PAGE));
    put(found.slice(first, first + PAGE));
    dom.text(dom.byId("sensor-count"), words(found));
    dom.show(dom.byId("sensor-pages"), found.length > PAGE);
    dom.byId("sensor-previous").disabled = first === 0;
    dom.byId("sensor-next").disabled = first + PAGE >= found.length;
  }

  function render(time) {
    var i;
    dom.show(dom.byId("sensors-empty"), !count);
    dom.show(dom.byId("sensor-bar"), count > 0);
    if (!isListed || time - listedAt > LIST_EVERY_MS) {
      isListed = true;
      listedAt = time;
      list();
    }
    for (i = 0; i < shown.length; i++) {
      card.render(shown[i], time);
    }
  }

  function turn(to) {
    first = to;
    isListed = false;
    window.scrollTo(0, 0);
  }

  dom.on(search, "keyup", function () { turn(0); });
  dom.on(order, "change", function () { turn(0); });
  dom.on(range, "change", function () {
    var i;
    card.setRange(Number(range.value));
    for (i = 0; i < shown.length; i++) {
      card.load(shown[i]);
    }
  });
  dom.on(dom.byId("sensor-previous"), "click", function () { turn(Math.max(0, first - PAGE)); });
  dom.on(dom.byId("sensor-next"), "click", function () { turn(first + PAGE); });

  return {render: render};
}());
