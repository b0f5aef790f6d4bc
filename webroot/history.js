/* Fetches kept records. */
galopPage.history = (function () {
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

  /*
   * The newest records of a topic or filter, oldest first, as done(problem, records); problem is
   * empty when all went well. Returns a function that gives up.
   */
  function fetch(filter, limit, done) {
    var request = new XMLHttpRequest(), cancelled = false, token = Galop.token();
    request.open("GET", "history/" + encode(filter) + "?order=desc&limit=" + limit, true);
    request.setRequestHeader("Accept", "application/json");
    if (token) {
      request.setRequestHeader("Authorization", "Bearer " + token);
    }
    request.onreadystatechange = function () {
      if (request.readyState === 4 && !cancelled) {
        answer(request, done);
      }
    };
    request.send(null);
    return function () {
      cancelled = true;
      request.abort();
    };
  }

  return {fetch: fetch};
}());
