package io.galop.loadtest.latency;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Prints figures for people. */
public final class LatencyTable {
  private static final String[] HEADS = {
    "server",
    "deliv./s",
    "p50 ms",
    "p99 ms",
    "p99.9",
    "max",
    "missing",
    "dupl.",
    "lost",
    "ack p50",
    "ack p99",
    "µs/deliv.",
    "switches",
    "RSS MB",
    "sockets",
    "gen. lag",
    "gen. CPU"
  };
  private static final int FIRST_WIDTH = 40;
  private static final int WIDTH = 10;

  private LatencyTable() {}

  public static String of(List<Figures> rows) {
    return row(HEADS) + rows.stream().map(LatencyTable::row).collect(Collectors.joining());
  }

  private static String row(Figures figures) {
    return row(
        figures.target(),
        number(0, figures.deliveriesPerSecond()),
        number(2, figures.p50Ms()),
        number(2, figures.p99Ms()),
        number(2, figures.p999Ms()),
        number(1, figures.maxMs()),
        Long.toString(figures.missing()),
        Long.toString(figures.duplicates()),
        Long.toString(figures.lostViewers()),
        number(2, figures.ackP50Ms()),
        number(2, figures.ackP99Ms()),
        number(2, figures.serverMicrosPerDelivery()),
        number(3, figures.switchesPerDelivery()),
        number(0, figures.serverResidentMb()),
        Long.toString(figures.socketsLeft()),
        number(2, figures.generatorLagP99Ms()),
        number(2, figures.generatorProcessors()));
  }

  private static String number(int digits, double value) {
    return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%,." + digits + "f", value);
  }

  private static String row(String... cells) {
    StringBuilder row = new StringBuilder(String.format("%-" + FIRST_WIDTH + "s", cells[0]));
    for (int i = 1; i < cells.length; i++) {
      row.append(String.format("%" + WIDTH + "s", cells[i]));
    }
    return row.append('\n').toString();
  }
}
