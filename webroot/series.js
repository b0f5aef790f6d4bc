/* Values over time, bounded; the newest stay. */
galopPage.Series = (function () {
  function Series(limit) {
    this.limit = limit;
    this.times = [];
    this.values = [];
    this.version = 0;
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

  return Series;
}());
