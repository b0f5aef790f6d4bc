package io.galop.loadtest.report;

import io.galop.loadtest.run.Bars;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Draws values side by side as SVG: a line each with its label, its bar and its number. */
final class BarChart {
  private static final int ROW = 18;
  private static final int BAR = 12;
  private static final int LEFT = 300;

  /** Of the number behind the longest bar. */
  private static final int NUMBER = 80;

  private static final int LONGEST = Plot.WIDTH - LEFT - NUMBER;
  private static final int BELOW = 12;

  private BarChart() {}

  /** Of a drawing, with its title. */
  static int height(Bars bars) {
    return Plot.TITLE_HEIGHT + ROW * bars.values().size() + BELOW;
  }

  /** As a part of a page. */
  static String figure(Bars bars) {
    return "<figure><svg viewBox=\"0 0 %d %d\">%s</svg></figure>%n"
        .formatted(Plot.WIDTH, height(bars), drawing(bars));
  }

  /** As a part of a drawing, with its title in a line above. What is no number has no bar. */
  static String drawing(Bars bars) {
    StringBuilder svg = new StringBuilder("<text class=\"title\" x=\"0\" y=\"16\">");
    svg.append(Html.text(bars.title())).append(bars.unit().isEmpty() ? "" : ", ");
    svg.append(Html.text(bars.unit())).append("</text>\n");
    double most = bars.values().values().stream().filter(BarChart::isBar).reduce(0.0, Math::max);
    int y = Plot.TITLE_HEIGHT;
    for (Map.Entry<String, Double> each : List.copyOf(bars.values().entrySet())) {
      double width = isBar(each.getValue()) ? LONGEST * each.getValue() / most : 0;
      svg.append(line(y, Html.text(each.getKey()), width, each.getValue()));
      y += ROW;
    }
    return svg.toString();
  }

  private static boolean isBar(double value) {
    return value > 0 && Double.isFinite(value);
  }

  private static String line(int y, String label, double width, double value) {
    return String.format(
        Locale.ROOT,
        "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>"
            + "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"#1f5fa8\"/>"
            + "<text x=\"%.1f\" y=\"%d\">%s</text>%n",
        LEFT - 8,
        y + BAR - 2,
        label,
        LEFT,
        y,
        width,
        BAR,
        LEFT + width + 6,
        y + BAR - 2,
        number(value));
  }

  private static String number(double value) {
    if (!Double.isFinite(value)) {
      return "none";
    }
    return String.format(Locale.ROOT, value >= 100 ? "%,.0f" : "%.3g", value);
  }
}
