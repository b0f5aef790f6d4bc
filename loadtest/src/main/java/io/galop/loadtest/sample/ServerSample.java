package io.galop.loadtest.sample;

import io.vertx.core.json.JsonObject;
import java.util.Locale;

/**
 * What was going on at one moment; rates are over the time since the sample before.
 *
 * @param seconds since the run began
 * @param phase of the scenario
 * @param viewers that should be connected
 * @param serverProcessors how many processors the server used
 * @param residentMb the server's resident memory
 * @param waitsPerSecond the server's context switches because a thread had to wait
 * @param preemptionsPerSecond those because another had its turn
 * @param sockets of the server's port, both ends
 * @param generatorProcessors how many processors the load test used
 */
record ServerSample(
    double seconds,
    String phase,
    int viewers,
    double serverProcessors,
    double residentMb,
    double waitsPerSecond,
    double preemptionsPerSecond,
    SocketStates sockets,
    double generatorProcessors) {

  static final String CSV_HEAD =
      "seconds,phase,viewers,serverProcessors,residentMb,waitsPerSecond,preemptionsPerSecond,"
          + "established,finWait2,closeWait,timeWait,generatorProcessors";

  private static final String ROW = "%9s %-14s %8s %9s %8s %9s %9s %8s %9s %10s %9s %9s%n";

  String toCsv() {
    return String.format(
        Locale.ROOT,
        "%.1f,%s,%d,%.3f,%.1f,%.0f,%.0f,%d,%d,%d,%d,%.3f",
        seconds,
        phase,
        viewers,
        serverProcessors,
        residentMb,
        waitsPerSecond,
        preemptionsPerSecond,
        sockets.established(),
        sockets.finWait2(),
        sockets.closeWait(),
        sockets.timeWait(),
        generatorProcessors);
  }

  static String head() {
    return String.format(
        ROW,
        "seconds",
        "phase",
        "viewers",
        "srv. CPU",
        "RSS MB",
        "waits/s",
        "preempt/s",
        "open",
        "FIN_WAIT2",
        "CLOSE_WAIT",
        "TIME_WAIT",
        "gen. CPU");
  }

  String row() {
    String[] cells = toCsv().split(",");
    return String.format(ROW, (Object[]) cells);
  }

  JsonObject toJson() {
    String[] names = CSV_HEAD.split(",");
    String[] cells = toCsv().split(",");
    JsonObject json = new JsonObject();
    for (int i = 0; i < names.length; i++) {
      if (names[i].equals("phase")) {
        json.put(names[i], phase);
      } else {
        json.put(names[i], Double.valueOf(cells[i]));
      }
    }
    return json;
  }
}
