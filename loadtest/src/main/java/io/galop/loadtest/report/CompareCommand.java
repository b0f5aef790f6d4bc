package io.galop.loadtest.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Two runs side by side. */
@Command(
    name = "compare",
    mixinStandardHelpOptions = true,
    description = "Shows the figures of two runs side by side, and their ratio.",
    footer = {
      "",
      "Exit code 1 if a limit is crossed. A limit is on B divided by A: kneePerSecond<0.9 fails if"
          + " B",
      "is more than a tenth below A."
    })
public final class CompareCommand implements Callable<Integer> {
  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Parameters(index = "0", paramLabel = "A", description = "A run's directory or report.json.")
  private Path first;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Parameters(index = "1", paramLabel = "B", description = "Another's.")
  private Path second;

  @Option(
      names = "--fail-if",
      converter = Limit.Reader.class,
      paramLabel = "'name>ratio'",
      description = "A limit on B divided by A; repeatable.")
  private List<Limit> limits = List.of();

  @Override
  public Integer call() throws IOException {
    Map<String, Object> one = RunReport.figures(first);
    Map<String, Object> other = RunReport.figures(second);
    Map<String, Double> ratios = new LinkedHashMap<>();
    System.out.printf("%-28s %16s %16s %8s%n", "figure", "A", "B", "B/A");
    for (Map.Entry<String, Object> figure : one.entrySet()) {
      if (figure.getValue() instanceof Number a && other.get(figure.getKey()) instanceof Number b) {
        double ratio = b.doubleValue() / a.doubleValue();
        ratios.put(figure.getKey(), ratio);
        System.out.printf(
            Locale.ROOT,
            "%-28s %,16.3f %,16.3f %8.3f%n",
            figure.getKey(),
            a.doubleValue(),
            b.doubleValue(),
            ratio);
      }
    }
    return Limits.report(limits, ratios) ? 1 : 0;
  }
}
