package io.galop.enrich.script;

import com.sun.management.ThreadMXBean;
import io.galop.market.Market;
import io.galop.record.Record;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Prints for scripts what a message of the place market costs in rounds over all of it, the first
 * one in a cold JVM: CPU time and memory of the thread, so that other load of the machine counts
 * less than in a rate. Arguments: rounds, then files, looked for from {@code verticles/scripts} on;
 * each is best measured in a process of its own.
 */
public final class ScriptCost {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private ScriptCost() {}

  public static void main(String[] args) throws Exception {
    List<Market> markets = Market.places();
    Market market = markets.get(markets.size() - 1);
    List<Record> messages = new ArrayList<>();
    for (String line : market.lines()) {
      byte[] data = line.getBytes(StandardCharsets.UTF_8);
      messages.add(new Record("line" + messages.size(), "odds/raw", 1, data));
    }
    System.out.printf("%s, %d messages%n", market.name(), messages.size());
    for (int i = 1; i < args.length; i++) {
      rounds(args[i], Integer.parseInt(args[0]), messages);
    }
  }

  private static void rounds(String file, int rounds, List<Record> messages) throws Exception {
    ScriptPlace place = ScriptPlace.of(Path.of("verticles/scripts").resolve(file));
    long loading = System.nanoTime();
    try (Script script = place.open(Map.of())) {
      System.out.printf("%s loaded in %d ms%n", file, (System.nanoTime() - loading) / 1_000_000);
      for (int round = 1; round <= rounds; round++) {
        long cpu = THREADS.getCurrentThreadCpuTime();
        long bytes = THREADS.getCurrentThreadAllocatedBytes();
        long outputs = 0;
        for (Record message : messages) {
          outputs += script.call(message).size();
        }
        System.out.printf(
            "%s round %d: %.1f us of CPU time and %d bytes a message, %d records%n",
            file,
            round,
            (THREADS.getCurrentThreadCpuTime() - cpu) / 1e3 / messages.size(),
            (THREADS.getCurrentThreadAllocatedBytes() - bytes) / messages.size(),
            outputs);
      }
    }
  }
}
