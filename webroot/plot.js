/*
 * Draws values over time on a canvas; where there is no canvas every function returns without
 * drawing, and the numbers beside it remain. Many points are reduced to first, minimum, maximum
 * and last per column of pixels, so that no peak is lost.
 */
galopPage.plot = (function () {
  var dom = galopPage.dom, format = galopPage.format;
  var TIME_STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600,
    43200, 86400, 172800, 345600, 604800, 1209600, 2592000, 7776000, 31536000, 157680000];
  var LEFT = 58, RIGHT = 12, TOP = 12, BOTTOM = 26;

  /* Fits the canvas to its place on the screen; null when nothing can be drawn. */
  function prepare(canvas) {
    var context = dom.context(canvas), ratio = window.devicePixelRatio || 1;
    var width = canvas.clientWidth, height = canvas.clientHeight;
    if (!context || !width || !height) {
      return null;
    }
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    return {context: context, width: width, height: height};
  }

  /*
   * Columns of {x, first, min, max, last}, in order; each value belongs to exactly one. Where
   * something is missing between two columns, the second is afterGap.
   */
  function reduce(series, scale) {
    var columns = [], column = null, i, x, value, gaps = series.gaps(), next = 0, afterGap = false;
    for (i = 0; i < series.times.length; i++) {
      x = Math.round(scale.x(series.times[i]));
      value = series.values[i];
      if (gaps[next] === i) {
        afterGap = true;
        next++;
      }
      if (!column || column.x !== x) {
        column = {x: x, first: value, min: value, max: value, last: value, afterGap: afterGap};
        columns.push(column);
        afterGap = false;
      } else {
        column.min = Math.min(column.min, value);
        column.max = Math.max(column.max, value);
        column.last = value;
      }
    }
    return columns;
  }

  function trace(context, columns, scale) {
    var i, column;
    context.beginPath();
    for (i = 0; i < columns.length; i++) {
      column = columns[i];
      context.lineTo(column.x, scale.y(column.first));
      if (column.min !== column.max) {
        context.lineTo(column.x, scale.y(column.min));
        context.lineTo(column.x, scale.y(column.max));
        context.lineTo(column.x, scale.y(column.last));
      }
    }
  }

  function stepOf(span, count) {
    var rough = span / count, power = Math.pow(10, Math.floor(Math.log(rough) / Math.LN10));
    var part = rough / power;
    return (part > 5 ? 10 : (part > 2 ? 5 : (part > 1 ? 2 : 1))) * power;
  }

  function timeStepOf(spanMs, count) {
    var i = 0;
    while (i < TIME_STEPS.length - 1 && TIME_STEPS[i] * 1000 * count < spanMs) {
      i++;
    }
    return TIME_STEPS[i] * 1000;
  }

  function timeLabel(ms, stepMs) {
    return stepMs >= 86400000 ? format.day(ms)
      : (stepMs < 60000 ? format.clock(ms) : format.clock(ms).substring(0, 5));
  }

  function scaleOf(series, area, options) {
    var extent = series.extent(-Infinity), size = series.times.length;
    var from = series.times[0], to = Math.max(series.times[size - 1], options.toMs || 0);
    var pad = (extent.max - extent.min) * 0.08 || Math.abs(extent.max) * 0.05 || 1;
    var low = extent.min - pad, high = extent.max + pad;
    var span = to - from || 1;
    return {
      from: from, to: to, low: low, high: high,
      x: function (time) {
        return area.left + (time - from) / span * (area.right - area.left);
      },
      y: function (value) {
        return area.bottom - (value - low) / (high - low) * (area.bottom - area.top);
      },
      time: function (x) {
        return from + (x - area.left) / (area.right - area.left) * span;
      }
    };
  }

  function drawValueAxis(context, area, scale, count) {
    var step = stepOf(scale.high - scale.low, count), value, y;
    context.textAlign = "right";
    context.textBaseline = "middle";
    for (value = Math.ceil(scale.low / step) * step; value <= scale.high; value += step) {
      y = Math.round(scale.y(value)) + 0.5;
      context.beginPath();
      context.moveTo(area.left, y);
      context.lineTo(area.right, y);
      context.stroke();
      context.fillText(format.number(Math.abs(value) < step / 1e6 ? 0 : value), area.left - 8, y);
    }
  }

  function drawTimeAxis(context, area, scale) {
    var labelWidth = scale.to - scale.from > 172800000 ? 105 : 75;
    var count = Math.max(2, Math.floor((area.right - area.left) / labelWidth));
    var step = timeStepOf(scale.to - scale.from, count), x, time;
    var zone = new Date(scale.from).getTimezoneOffset() * 60000;
    context.textAlign = "center";
    context.textBaseline = "top";
    for (time = Math.ceil((scale.from - zone) / step) * step + zone; time <= scale.to; time += step) {
      x = Math.round(scale.x(time)) + 0.5;
      context.beginPath();
      context.moveTo(x, area.bottom);
      context.lineTo(x, area.bottom + 4);
      context.stroke();
      if (x > area.left + 18 && x < area.right - 18) {
        context.fillText(timeLabel(time, step), x, area.bottom + 8);
      }
    }
  }

  function drawAxes(context, area, scale) {
    context.lineWidth = 1;
    context.font = "12px system-ui, sans-serif";
    context.strokeStyle = dom.styled("--line", "#d9d6cc");
    context.fillStyle = dom.styled("--dim", "#5d6a62");
    drawValueAxis(context, area, scale, Math.max(2, Math.floor((area.bottom - area.top) / 40)));
    drawTimeAxis(context, area, scale);
  }

  /* Runs of columns without a gap. */
  function runsOf(columns) {
    var runs = [], i;
    for (i = 0; i < columns.length; i++) {
      if (!i || columns[i].afterGap) {
        runs.push([]);
      }
      runs[runs.length - 1].push(columns[i]);
    }
    return runs;
  }

  function drawGap(context, from, to, area) {
    context.fillStyle = dom.styled("--sunk", "#ebe8dd");
    context.fillRect(from, area.top, to - from, area.bottom - area.top);
    if (to - from > 60 && area.bottom - area.top > 60) {
      context.fillStyle = dom.styled("--dim", "#5d6a62");
      context.font = "12px system-ui, sans-serif";
      context.textAlign = "center";
      context.textBaseline = "top";
      context.fillText("no data", (from + to) / 2, area.top + 4);
    }
  }

  function drawLine(context, columns, scale, area, color) {
    var runs = runsOf(columns), i;
    for (i = 1; i < runs.length; i++) {
      drawGap(context, runs[i - 1][runs[i - 1].length - 1].x, runs[i][0].x, area);
    }
    for (i = 0; i < runs.length; i++) {
      drawRun(context, runs[i], scale, area, color);
    }
  }

  function drawRun(context, columns, scale, area, color) {
    context.strokeStyle = color;
    if (columns.length === 1 && columns[0].min === columns[0].max) {
      context.fillStyle = color;
      context.fillRect(columns[0].x - 1, scale.y(columns[0].last) - 1, 2, 2);
      return;
    }
    trace(context, columns, scale);
    context.lineWidth = 1.6;
    context.lineJoin = "round";
    context.stroke();
    context.lineTo(columns[columns.length - 1].x, area.bottom);
    context.lineTo(columns[0].x, area.bottom);
    context.closePath();
    context.globalAlpha = 0.1;
    context.fillStyle = color;
    context.fill();
    context.globalAlpha = 1;
  }

  function drawCursor(context, area, scale, series, index) {
    var x = Math.round(scale.x(series.times[index])) + 0.5;
    context.strokeStyle = dom.styled("--dim", "#5d6a62");
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(x, area.top);
    context.lineTo(x, area.bottom);
    context.stroke();
    context.fillStyle = dom.styled("--ink", "#18211c");
    context.beginPath();
    context.arc(x, scale.y(series.values[index]), 4, 0, 2 * Math.PI);
    context.fill();
  }

  function nearest(times, time) {
    var low = 0, high = times.length - 1, middle;
    while (low < high) {
      middle = (low + high) >> 1;
      if (times[middle] < time) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low > 0 && time - times[low - 1] < times[low] - time ? low - 1 : low;
  }

  /*
   * A plot with axes. options: color (name of a custom property), toMs (right end, at least),
   * cursorX (pixel under the pointer). Returns the index of the value under the pointer, or -1.
   */
  function draw(canvas, series, options) {
    var surface = prepare(canvas), area, scale, index = -1, color;
    if (!surface || !series.size()) {
      return index;
    }
    area = {left: LEFT, right: surface.width - RIGHT, top: TOP, bottom: surface.height - BOTTOM};
    scale = scaleOf(series, area, options);
    color = dom.styled(options.color || "--accent", "#0b6b3a");
    drawAxes(surface.context, area, scale);
    drawLine(surface.context, reduce(series, scale), scale, area, color);
    if (options.cursorX >= 0) {
      index = nearest(series.times, scale.time(options.cursorX));
      drawCursor(surface.context, area, scale, series, index);
    }
    dom.attribute(canvas, "data-points", series.size());
    dom.attribute(canvas, "data-gaps", series.gaps().length);
    return index;
  }

  /* A line without axes, its first value as a dotted level, its last as a dot. */
  function spark(canvas, series, color) {
    var surface = prepare(canvas), area, scale, columns, context, last;
    if (!surface || series.size() < 2) {
      return;
    }
    context = surface.context;
    area = {left: 2, right: surface.width - 4, top: 3, bottom: surface.height - 3};
    scale = scaleOf(series, area, {});
    columns = reduce(series, scale);
    last = columns[columns.length - 1];
    context.fillStyle = dom.styled("--line", "#d9d6cc");
    context.fillRect(area.left, Math.round(scale.y(series.values[0])), area.right - area.left, 1);
    drawLine(context, columns, scale, area, dom.styled(color, "#0b6b3a"));
    context.fillStyle = dom.styled(color, "#0b6b3a");
    context.beginPath();
    context.arc(last.x, scale.y(last.last), 2.2, 0, 2 * Math.PI);
    context.fill();
  }

  /* ", 2 gaps, the longest 37 min", or nothing. */
  function gapWords(series) {
    var gaps = series.gaps(), longest = 0, i;
    for (i = 0; i < gaps.length; i++) {
      longest = Math.max(longest, series.times[gaps[i]] - series.times[gaps[i] - 1]);
    }
    return gaps.length ? ", " + format.whole(gaps.length)
      + (gaps.length > 1 ? " gaps, the longest " : " gap of ") + format.age(longest) : "";
  }

  return {draw: draw, spark: spark, reduce: reduce, gapWords: gapWords};
}());
