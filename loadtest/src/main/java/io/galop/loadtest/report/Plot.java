package io.galop.loadtest.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Draws lines over seconds as SVG. */
final class Plot {
  static final int WIDTH = 900;
  static final int TITLE_HEIGHT = 24;
  static final int HEIGHT = 220;

  private static final int LEFT = 70;
  private static final int RIGHT = 10;
  private static final int TOP = 8;
  private static final int BOTTOM = 24;
  private static final int TICKS = 4;
  private static final List<String> COLOURS =
      List.of("#1f5fa8", "#c8501e", "#2c8a4b", "#8a3ca8", "#a88a1f", "#555555");

  /** A line, or points where it is not connected; x in seconds. */
  record Line(String name, double[] x, double[] y, boolean connected) {}

  private final String title;
  private final String unit;
  private final List<Line> lines = new ArrayList<>();
  private double mostX = 1;
  private double mostY;

  Plot(String title, String unit) {
    this.title = title;
    this.unit = unit;
  }

  Plot add(Line line) {
    lines.add(line);
    for (double x : line.x) {
      mostX = Double.isNaN(x) ? mostX : Math.max(mostX, x);
    }
    for (double y : line.y) {
      mostY = Double.isNaN(y) ? mostY : Math.max(mostY, y);
    }
    return this;
  }

  boolean isEmpty() {
    return lines.stream().noneMatch(line -> hasValues(line.y));
  }

  private static boolean hasValues(double[] values) {
    for (double value : values) {
      if (!Double.isNaN(value)) {
        return true;
      }
    }
    return false;
  }

  /** As a part of a page. */
  String figure() {
    StringBuilder figure =
        new StringBuilder("<figure><figcaption><b>" + Html.text(title) + "</b> ");
    figure.append(Html.text(unit));
    for (int i = 0; i < lines.size(); i++) {
      figure.append(" <span style=\"color:").append(colour(i)).append("\">■ ");
      figure.append(Html.text(lines.get(i).name)).append("</span>");
    }
    figure.append("</figcaption><svg viewBox=\"0 0 " + WIDTH + " " + HEIGHT + "\">");
    draw(figure);
    return figure.append("</svg></figure>\n").toString();
  }

  /** As a part of a drawing, {@value #WIDTH} wide, with its title in a line above. */
  String drawing() {
    StringBuilder drawing = new StringBuilder("<text class=\"title\" x=\"0\" y=\"16\">");
    drawing.append(Html.text(title)).append(' ').append(Html.text(unit));
    for (int i = 0; i < lines.size(); i++) {
      drawing.append("<tspan dx=\"12\" fill=\"").append(colour(i)).append("\">■ ");
      drawing.append(Html.text(lines.get(i).name)).append("</tspan>");
    }
    drawing.append("</text><g transform=\"translate(0 " + TITLE_HEIGHT + ")\">");
    draw(drawing);
    return drawing.append("</g>\n").toString();
  }

  private void draw(StringBuilder svg) {
    double top = mostY <= 0 ? 1 : niceAbove(mostY);
    axes(svg, top);
    for (int i = 0; i < lines.size(); i++) {
      draw(svg, lines.get(i), colour(i), top);
    }
  }

  String title() {
    return title;
  }

  private static String colour(int line) {
    return COLOURS.get(line % COLOURS.size());
  }

  static double niceAbove(double value) {
    double power = Math.pow(10, Math.floor(Math.log10(value)));
    for (double step : new double[] {1, 1.5, 2, 3, 4, 5, 6, 8}) {
      if (value <= step * power) {
        return step * power;
      }
    }
    return 10 * power;
  }

  private void axes(StringBuilder svg, double top) {
    for (int i = 0; i <= TICKS; i++) {
      double y = y(top * i / TICKS, top);
      svg.append(
          String.format(
              Locale.ROOT, "<path class=\"grid\" d=\"M%d %.1fH%d\"/>", LEFT, y, WIDTH - RIGHT));
      String label = number(top * i / TICKS);
      svg.append(text(LEFT - 6, y + 4, "end", label));
    }
    for (int i = 0; i <= 2 * TICKS; i++) {
      double seconds = mostX * i / (2 * TICKS);
      String label = number(seconds) + (i == 2 * TICKS ? " s" : "");
      svg.append(text(x(seconds), HEIGHT - 6, i == 2 * TICKS ? "end" : "middle", label));
    }
  }

  private static String text(double x, double y, String anchor, String text) {
    return String.format(
        Locale.ROOT,
        "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>",
        x,
        y,
        anchor,
        text);
  }

  private static String number(double value) {
    return value >= 100
        ? String.format(Locale.ROOT, "%,.0f", value)
        : String.format(Locale.ROOT, value >= 10 ? "%.0f" : "%.2g", value);
  }

  private double x(double seconds) {
    return LEFT + (WIDTH - LEFT - RIGHT) * seconds / mostX;
  }

  private static double y(double value, double top) {
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value / top;
  }

  private void draw(StringBuilder svg, Line line, String colour, double top) {
    StringBuilder path = new StringBuilder();
    boolean isDown = false;
    for (int i = 0; i < line.x.length; i++) {
      if (Double.isNaN(line.y[i]) || Double.isNaN(line.x[i])) {
        isDown = false;
        continue;
      }
      String at = String.format(Locale.ROOT, "%.1f %.1f", x(line.x[i]), y(line.y[i], top));
      path.append(isDown && line.connected ? "L" : "M").append(at);
      path.append(line.connected ? "" : "h2v2h-2z");
      isDown = true;
    }
    svg.append("<path class=\"line\" stroke=\"" + colour + "\" d=\"" + path + "\"/>");
  }
}
