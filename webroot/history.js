/* Fetches kept records. */
galopPage.history = (function () {
  var ROWS_AT_ONCE = 2, MOST_TRIES = 5, RETRY_MS = 1000, waiting = [], underWay = 0;

  function encode(topic) {
    return encodeURIComponent(topic).replace(/%2F/g, "/");
  }

  /* Oldest first, whatever order the answer had; equal times keep their order. */
  function ascending(records) {
    var ordered = records.length < 2 || records[0].time <= records[records.length - 1].time;
    return ordered ? records : records.reverse();
  }

  function answer(request, done) {
    var records, reason = "";
    if (request.status !== 200) {
      try {
        reason = JSON.parse(request.responseText).message || "";
      } catch (ignored) {
        reason = "";
      }
      done(request.status
        ? "the server answered " + request.status + (reason ? ": " + reason : "")
        : "the server could not be reached", []);
      return;
    }
    try {
      records = JSON.parse(request.responseText);
    } catch (e) {
      done("the answer is not JSON", []);
      return;
    }
    done("", ascending(records));
  }

  /* What an answer is without, as words; empty where it is whole. */
  function lacks(request) {
    var names = request.status === 200 ? request.getResponseHeader("X-Galop-Incomplete") : "";
    return names ? "incomplete, without " + names : "";
  }

  /* Asks, and calls back with the request when it is over. Returns a function that gives up. */
  function ask(filter, query, over) {
    var request = new XMLHttpRequest(), cancelled = false, token = Galop.token();
    request.open("GET", "history/" + encode(filter) + "?" + query, true);
    request.setRequestHeader("Accept", "application/json");
    if (token) {
      request.setRequestHeader("Authorization", "Bearer " + token);
    }
    request.onreadystatechange = function () {
      if (request.readyState === 4 && !cancelled) {
        over(request);
      }
    };
    request.send(null);
    return function () {
      cancelled = true;
      request.abort();
    };
  }

  /*
   * The newest records of a topic or filter, oldest first, as done(problem, records); problem is
   * empty when all went well. Returns a function that gives up.
   */
  function fetch(filter, limit, done) {
    return ask(filter, "order=desc&limit=" + limit, function (request) {
      answer(request, done);
    });
  }

  function next() {
    while (underWay < ROWS_AT_ONCE && waiting.length) {
      waiting.shift()();
    }
  }

  /*
   * The rows of a topic since a time, one for every so many seconds that have values, as
   * done(problem, rows, lacks). Asked for from the newest on: an answer that is cut lacks old ones. A few questions are under way at a time, since the node computes
   * them; the others wait, at most one for each card. Returns a function that gives up.
   */
  function rows(topic, field, fromUs, seconds, done) {
    var tries = 0, isOver = false, giveUp = null, timer = null;

    function over(request) {
      underWay--;
      giveUp = null;
      if (request.status === 503 && ++tries < MOST_TRIES) {
        timer = setTimeout(enqueue, RETRY_MS);
      } else {
        isOver = true;
        answer(request, function (problem, found) { done(problem, found, lacks(request)); });
      }
      next();
    }

    function begin() {
      if (!isOver) {
        underWay++;
        giveUp = ask(topic, "every=" + seconds + "s&agg=min,max,count&fields="
          + encodeURIComponent(field) + "&from=" + Math.round(fromUs) + "&order=desc", over);
      }
    }

    function enqueue() {
      waiting.push(begin);
      next();
    }

    enqueue();
    return function () {
      isOver = true;
      clearTimeout(timer);
      if (giveUp) {
        giveUp();
        giveUp = null;
        underWay--;
        next();
      }
    };
  }

  return {fetch: fetch, rows: rows};
}());
