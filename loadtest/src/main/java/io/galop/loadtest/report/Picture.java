package io.galop.loadtest.report;

import java.util.List;

/** The plots that say most, as one SVG file that documents can show. */
final class Picture {
  private static final String STYLE =
      "path{fill:none}.grid{stroke:#ddd}.line{stroke-width:1.4}"
          + "text{font:11px sans-serif;fill:#555}.title{font-size:13px;fill:#222}";

  private static final List<String> SHOWN =
      List.of(Plots.RATE, Plots.QUESTIONS, Plots.ANSWERS, Plots.LIVE, Plots.PAUSES);

  private static final int STEP = Plot.TITLE_HEIGHT + Plot.HEIGHT + 12;

  private Picture() {}

  /** Empty if none of them is among the plots. */
  static String of(List<Plot> plots) {
    List<Plot> shown = plots.stream().filter(plot -> SHOWN.contains(plot.title())).toList();
    if (shown.isEmpty()) {
      return "";
    }
    StringBuilder svg =
        new StringBuilder("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ");
    svg.append(Plot.WIDTH).append(' ').append(STEP * shown.size()).append("\"><style>");
    svg.append(STYLE).append("</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
    for (int i = 0; i < shown.size(); i++) {
      svg.append("<g transform=\"translate(0 ").append(i * STEP).append(")\">");
      svg.append(shown.get(i).drawing()).append("</g>\n");
    }
    return svg.append("</svg>\n").toString();
  }
}
