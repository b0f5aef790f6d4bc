package io.galop.loadtest.report;

import io.galop.loadtest.run.Bars;
import io.galop.loadtest.run.Findings;
import java.util.List;

/** The plots that say most, and what is to be seen side by side, as one SVG file for documents. */
final class Picture {
  private static final String STYLE =
      "path{fill:none}.grid{stroke:#ddd}.line{stroke-width:1.4}"
          + "text{font:11px sans-serif;fill:#555}.title{font-size:13px;fill:#222}";

  private static final List<String> SHOWN =
      List.of(Plots.RATE, Plots.QUESTIONS, Plots.ANSWERS, Plots.LIVE, Plots.PAUSES);

  private static final int PLOT_HEIGHT = Plot.TITLE_HEIGHT + Plot.HEIGHT + 12;

  private final StringBuilder drawings = new StringBuilder();
  private int height;

  private Picture() {}

  /** Empty if there is nothing to draw. */
  static String of(Findings findings) {
    Picture picture = new Picture();
    for (Plot plot : Plots.of(findings)) {
      if (SHOWN.contains(plot.title())) {
        picture.add(plot.drawing(), PLOT_HEIGHT);
      }
    }
    for (Bars bars : findings.bars()) {
      picture.add(BarChart.drawing(bars), BarChart.height(bars));
    }
    return picture.height == 0 ? "" : picture.svg();
  }

  private void add(String drawing, int itsHeight) {
    drawings.append("<g transform=\"translate(0 ").append(height).append(")\">");
    drawings.append(drawing).append("</g>\n");
    height += itsHeight;
  }

  private String svg() {
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\"><style>%s</style>\n"
            .formatted(Plot.WIDTH, height, STYLE)
        + "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
        + drawings
        + "</svg>\n";
  }
}
