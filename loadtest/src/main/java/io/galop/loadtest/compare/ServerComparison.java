package io.galop.loadtest.compare;

import io.galop.loadtest.latency.Figures;
import io.galop.loadtest.latency.LatencyTable;
import io.galop.loadtest.latency.Load;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** What all runs have shown. */
final class ServerComparison {
  private final Load load;
  private final Map<Bout, List<Figures>> runs = new LinkedHashMap<>();
  private final List<Figures> inOrder = new ArrayList<>();
  private @Nullable Figures nullServer;

  ServerComparison(Load load, List<Bout> bouts) {
    this.load = load;
    bouts.forEach(bout -> runs.put(bout, new ArrayList<>()));
  }

  void add(Bout bout, Figures figures) {
    of(bout).add(figures);
    inOrder.add(figures);
  }

  private List<Figures> of(Bout bout) {
    return Objects.requireNonNull(runs.get(bout), "each bout was named at the start");
  }

  void nullServer(Figures figures) {
    nullServer = figures;
  }

  boolean isComplete() {
    return inOrder.stream().allMatch(Figures::isComplete);
  }

  private List<Figures> medians() {
    return runs.values().stream().map(Figures::median).toList();
  }

  void write(Path json) throws IOException {
    JsonObject all = new JsonObject().put("load", load.toString());
    all.put("medians", new JsonArray(medians().stream().map(Figures::toJson).toList()));
    all.put("runs", new JsonArray(inOrder.stream().map(Figures::toJson).toList()));
    if (nullServer != null) {
      all.put("nullServer", nullServer.toJson());
    }
    Files.writeString(json, all.encodePrettily() + "\n");
  }

  String print() {
    List<Figures> rows = new ArrayList<>(inOrder);
    if (inOrder.size() > runs.size()) {
      rows.addAll(medians());
    }
    if (nullServer != null) {
      rows.add(nullServer);
    }
    StringBuilder text = new StringBuilder(load + "\n" + LatencyTable.of(rows));
    runs.keySet().stream().filter(Bout::isGalop).forEach(bout -> text.append(ratios(bout)));
    return text.toString();
  }

  /** Galop beside each other server on the same transport. */
  private String ratios(Bout galop) {
    StringBuilder text = new StringBuilder();
    for (Bout other : runs.keySet()) {
      if (!other.isGalop() && other.transport() == galop.transport()) {
        text.append(
            String.format(
                Locale.ROOT,
                "%s / %s: processor time per delivery %.2f, p99 %.2f (medians of pairs)%n",
                galop.label(),
                other.label(),
                medianRatio(galop, other, Figures::serverMicrosPerDelivery),
                medianRatio(galop, other, Figures::p99Ms)));
      }
    }
    return text.toString();
  }

  private double medianRatio(Bout one, Bout other, ToDoubleFunction<Figures> figure) {
    List<Figures> ones = of(one);
    List<Figures> others = of(other);
    double[] ratios = new double[ones.size()];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = figure.applyAsDouble(ones.get(i)) / figure.applyAsDouble(others.get(i));
    }
    java.util.Arrays.sort(ratios);
    int middle = ratios.length / 2;
    return ratios.length % 2 == 1 ? ratios[middle] : (ratios[middle - 1] + ratios[middle]) / 2;
  }
}
