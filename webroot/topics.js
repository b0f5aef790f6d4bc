/* Every topic that was heard of, with its rate; the chosen one with its latest record. */
galopPage.topics = (function () {
  var MAX_ROWS = 200, LIST_EVERY_MS = 1000;
  var dom = galopPage.dom, format = galopPage.format, store = galopPage.store;
  var list = dom.byId("topic-list"), search = dom.byId("topic-search");
  var items = {}, chosen = null, listedAt = 0;

  function choose(topic) {
    chosen = topic;
    listedAt = 0;
    galopPage.topicPlot.open(store.get(topic));
    reveal();
  }

  /* On a narrow screen the card stands below the list. */
  function reveal() {
    var card = dom.byId("topic-card");
    render(store.now());
    if (card.offsetTop > list.offsetTop + list.offsetHeight) {
      card.scrollIntoView(true);
    }
  }

  /* Lets a long name wrap after its slashes. */
  function breakable(topic) {
    return topic.replace(/\//g, "/\u200B");
  }

  function makeItem(topic) {
    var li = dom.add(list, "li", {});
    var button = dom.add(li, "button", {type: "button", "class": "topic-item", "data-pick": topic});
    dom.on(button, "click", function () { choose(topic); });
    return {
      li: li, button: button,
      name: dom.add(button, "span", {"class": "topic-item-name"}, breakable(topic)),
      rate: dom.add(button, "span", {"class": "topic-item-rate", "data-field": "rate"})
    };
  }

  function matching() {
    var wanted = search.value.toLowerCase(), all = store.list(), found = [], i;
    for (i = 0; i < all.length; i++) {
      if (all[i].topic.toLowerCase().indexOf(wanted) >= 0) {
        found.push(all[i]);
      }
    }
    return found.sort(function (a, b) { return a.topic < b.topic ? -1 : 1; });
  }

  function renderList() {
    var found = matching(), i, topic, item, kept = {}, elements = [], key;
    for (i = 0; i < found.length && i < MAX_ROWS; i++) {
      topic = found[i].topic;
      item = items["/" + topic] || makeItem(topic);
      kept["/" + topic] = item;
      dom.text(item.rate, format.rate(found[i].rate));
      dom.className(item.button, "topic-item is-" + store.freshness(found[i]));
      dom.attribute(item.button, "aria-current", topic === chosen ? "true" : "false");
      elements.push(item.li);
    }
    for (key in items) {
      if (items.hasOwnProperty(key) && !kept[key]) {
        list.removeChild(items[key].li);
      }
    }
    items = kept;
    dom.arrange(list, elements);
    dom.text(dom.byId("topic-more"), found.length > MAX_ROWS
      ? "and " + format.whole(found.length - MAX_ROWS) + " more; type to narrow them down"
      : format.whole(found.length) + (found.length === 1 ? " topic" : " topics"));
  }

  function renderCard(entry) {
    var freshness = store.freshness(entry);
    dom.text(dom.byId("topic-name"), entry.topic);
    dom.text(dom.byId("topic-age"), format.age(store.ageMs(entry)) + " old"
      + (freshness === "stale" ? ", stale" : ""));
    dom.text(dom.byId("topic-facts"), format.rate(entry.rate) + ", "
      + format.whole(entry.count) + " received here, measured " + format.dateTime(entry.timeMs));
    dom.className(dom.byId("topic-card"), "is-" + freshness);
    dom.text(dom.byId("topic-json"), JSON.stringify({
      topic: entry.topic, id: entry.id, time: Math.round(entry.timeMs * 1000), data: entry.data
    }, null, 2));
    galopPage.topicPlot.render(store.now());
  }

  function render(time) {
    var entry = chosen === null ? null : store.get(chosen);
    dom.show(dom.byId("topic-empty"), !entry);
    dom.show(dom.byId("topic-card"), !!entry);
    if (time - listedAt > LIST_EVERY_MS) {
      listedAt = time;
      renderList();
    }
    if (entry) {
      renderCard(entry);
    }
  }

  dom.on(search, "keyup", function () { listedAt = 0; });

  return {render: render};
}());
