/* Values over time, bounded; the newest stay. */
galopPage.Series = (function () {
  var MIN_GAP_MS = 5000, GAP_FACTOR = 8, NEIGHBOURS = 5;

  function Series(limit) {
    this.limit = limit;
    this.times = [];
    this.values = [];
    this.version = 0;
    this.gapsOf = -1;
    this.gapsAt = [];
    this.breaks = {};
  }

  Series.prototype.push = function (timeMs, value) {
    this.times.push(timeMs);
    this.values.push(value);
    this.version++;
    if (this.times.length > this.limit * 1.2) {
      this.times.splice(0, this.times.length - this.limit);
      this.values.splice(0, this.values.length - this.limit);
    }
  };

  Series.prototype.size = function () {
    return this.times.length;
  };

  Series.prototype.last = function () {
    return this.values[this.values.length - 1];
  };

  /* Something is known to be missing before the value of a time. */
  Series.prototype.breakAt = function (timeMs) {
    this.breaks[timeMs] = true;
  };

  /* Puts older values before those that have arrived meanwhile. */
  Series.prototype.putBefore = function (times, values) {
    var end = times.length, before = this.size() ? this.times[0] : Infinity;
    while (end > 0 && times[end - 1] >= before) {
      end--;
    }
    var from = Math.max(0, end - Math.max(0, this.limit - this.size()));
    this.times = times.slice(from, end).concat(this.times);
    this.values = values.slice(from, end).concat(this.values);
    this.version++;
  };

  /* Forgets what is older than a time. */
  Series.prototype.dropBefore = function (timeMs) {
    var count = 0;
    while (count < this.times.length && this.times[count] < timeMs) {
      count++;
    }
    if (count) {
      this.times.splice(0, count);
      this.values.splice(0, count);
      this.version++;
    }
  };

  /* {min, max, first, last} of the values since a time, or null when there are none. */
  Series.prototype.extent = function (sinceMs) {
    var i, value, found = null;
    for (i = this.values.length - 1; i >= 0 && !(this.times[i] < sinceMs); i--) {
      value = this.values[i];
      if (!found) {
        found = {min: value, max: value, first: value, last: value};
      }
      found.first = value;
      found.min = Math.min(found.min, value);
      found.max = Math.max(found.max, value);
    }
    return found;
  };

  /* Among the intervals from one index to another: 1 most are shorter, -1 not so, 0 there are none. */
  function compareIntervals(times, from, to, ms) {
    var i, shorter = 0;
    for (i = from; i < to; i++) {
      shorter += times[i] - times[i - 1] < ms ? 1 : -1;
    }
    return shorter > 0 ? 1 : (to > from ? -1 : 0);
  }

  /*
   * Whether something is missing before a value, by the rhythm of the values around it: most
   * intervals on both sides are shorter than an eighth of this one. A line across would show what
   * nobody has measured. Local, since what is kept is often sampled and what is live is not.
   */
  function isGap(times, i) {
    var ms = times[i] - times[i - 1], before, after;
    if (!(ms > MIN_GAP_MS)) {
      return false;
    }
    before = compareIntervals(times, Math.max(1, i - NEIGHBOURS), i, ms / GAP_FACTOR);
    after = compareIntervals(times, i + 1, Math.min(times.length, i + 1 + NEIGHBOURS),
      ms / GAP_FACTOR);
    return before >= 0 && after >= 0 && before + after > 0;
  }

  /* The indices of the values before which something is missing, in order. */
  Series.prototype.gaps = function () {
    var i;
    if (this.gapsOf !== this.version) {
      this.gapsOf = this.version;
      this.gapsAt = [];
      for (i = 1; i < this.times.length; i++) {
        if (this.breaks[this.times[i]] || isGap(this.times, i)) {
          this.gapsAt.push(i);
        }
      }
    }
    return this.gapsAt;
  };

  return Series;
}());
