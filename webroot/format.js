/* Numbers, ages and times as people read them; and reading times and numeric fields out of data. */
galopPage.format = (function () {
  var SECOND = 1000, MINUTE = 60000, HOUR = 3600000, DAY = 86400000, YEAR = 31557600000;
  var NONE = "\u2013";

  function isNumber(value) {
    return typeof value === "number" && isFinite(value);
  }

  function pad(value, digits) {
    var text = String(value);
    while (text.length < (digits || 2)) {
      text = "0" + text;
    }
    return text;
  }

  /* How long ago, in the largest unit that says something: "0.4 s", "12 s", "3 min". */
  function age(ms) {
    if (!isNumber(ms)) {
      return NONE;
    }
    ms = Math.max(0, ms);
    if (ms < 9950) {
      return (ms / SECOND).toFixed(1) + " s";
    }
    if (ms < 2 * MINUTE) {
      return Math.round(ms / SECOND) + " s";
    }
    if (ms < 2 * HOUR) {
      return Math.floor(ms / MINUTE) + " min";
    }
    if (ms < 2 * DAY) {
      return Math.floor(ms / HOUR) + " h";
    }
    return ms < 2 * YEAR ? Math.floor(ms / DAY) + " d" : Math.floor(ms / YEAR) + " y";
  }

  /* Time to the start as mm:ss or h:mm:ss; after it with a plus. */
  function countdown(ms) {
    var passed = ms < 0;
    var seconds = passed ? Math.floor(-ms / SECOND) : Math.ceil(ms / SECOND);
    var hours = Math.floor(seconds / 3600);
    if (hours > 48) {
      return (passed ? "+" : "") + Math.floor(hours / 24) + " days";
    }
    return (passed ? "+" : "") + (hours ? hours + ":" : "")
      + pad(Math.floor(seconds / 60) % 60) + ":" + pad(seconds % 60);
  }

  function grouped(digits) {
    return digits.replace(/\B(?=(\d{3})+(?!\d))/g, "\u2009");
  }

  function whole(value) {
    return isNumber(value)
      ? (value < 0 ? "\u2212" : "") + grouped(String(Math.round(Math.abs(value)))) : NONE;
  }

  function odds(value) {
    return isNumber(value) ? value.toFixed(value >= 100 && value % 1 === 0 ? 0 : 2) : NONE;
  }

  /* Any measured number with about five figures and no noise behind them. */
  function number(value) {
    var size = Math.abs(value);
    if (!isNumber(value)) {
      return NONE;
    }
    if (size >= 100000 || (size > 0 && size < 0.001)) {
      return size >= 100000 && size < 1e12 ? whole(value) : value.toExponential(3);
    }
    return String(parseFloat(value.toPrecision(5))).replace("-", "\u2212");
  }

  function signed(value, digits) {
    return (value > 0 ? "+" : "\u2212") + Math.abs(value).toFixed(digits);
  }

  function rate(perSecond) {
    if (perSecond < 0.05) {
      return "0/s";
    }
    return (perSecond < 10 ? perSecond.toFixed(1) : whole(perSecond)) + "/s";
  }

  function clock(ms, withMillis) {
    var date = new Date(ms);
    return pad(date.getHours()) + ":" + pad(date.getMinutes()) + ":" + pad(date.getSeconds())
      + (withMillis ? "." + pad(date.getMilliseconds(), 3) : "");
  }

  function day(ms) {
    var date = new Date(ms);
    return date.getFullYear() + "-" + pad(date.getMonth() + 1) + "-" + pad(date.getDate());
  }

  function dateTime(ms) {
    return day(ms) + " " + clock(ms, true);
  }

  /* An ISO time or a number of seconds, milliseconds or microseconds, as milliseconds; or NaN. */
  function parseTime(value) {
    var p, shift;
    if (isNumber(value)) {
      return value > 1e14 ? value / 1000 : (value > 1e11 ? value : value * 1000);
    }
    p = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(\.\d+)?)?(Z|([+\-])(\d\d):?(\d\d))?$/
      .exec(value || "");
    if (!p) {
      return NaN;
    }
    shift = p[9] ? (p[9] === "-" ? 1 : -1) * (Number(p[10]) * 60 + Number(p[11])) * MINUTE : 0;
    return Date.UTC(p[1], p[2] - 1, p[3], p[4], p[5], p[6] || 0) + shift
      + Math.round(Number(p[7] || 0) * 1000);
  }

  function collect(value, path, depth, found) {
    var key;
    if (isNumber(value) && path) {
      found.push(path);
    } else if (value && typeof value === "object" && depth < 4 && found.length < 64) {
      for (key in value) {
        if (Object.prototype.hasOwnProperty.call(value, key)) {
          collect(value[key], path ? path + "." + key : key, depth + 1, found);
        }
      }
    }
  }

  /* Dotted paths of the numbers in data. */
  function numericFields(data) {
    var found = [];
    collect(data, "", 0, found);
    return found;
  }

  function field(data, path) {
    var i, names = path.split("."), value = data;
    for (i = 0; i < names.length && value !== null && value !== undefined; i++) {
      value = value[names[i]];
    }
    return value;
  }

  return {
    age: age, countdown: countdown, whole: whole, odds: odds, number: number, signed: signed,
    rate: rate, clock: clock, day: day, dateTime: dateTime, parseTime: parseTime, isNumber: isNumber,
    numericFields: numericFields, field: field, NONE: NONE
  };
}());
