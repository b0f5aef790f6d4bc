package io.galop.e2e;

import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a node needs of memory besides its RAM tier: heap after a collection, and direct memory. */
record Memory(long heap, long direct) {
  static Memory of(GalopProcess node) throws Exception {
    collect(node);
    String metrics = Stored.get(node.management("/metrics")).body();
    long heap = sum(metrics, "jvm_memory_used_bytes\\{area=\"heap\"[^}]*}");
    long direct = sum(metrics, "galop_node_direct_bytes");
    return new Memory(heap, direct - sum(metrics, "galop_persist_ram_bytes"));
  }

  private static void collect(GalopProcess node) throws Exception {
    Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    Process process =
        new ProcessBuilder(jcmd.toString(), Long.toString(node.pid()), "GC.run")
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes());
    if (process.waitFor() != 0) {
      throw new AssertionError("jcmd: " + said);
    }
  }

  private static long sum(String metrics, String name) {
    Matcher lines = Pattern.compile("(?m)^" + name + " (\\S+)$").matcher(metrics);
    long sum = 0;
    int found = 0;
    for (; lines.find(); found++) {
      sum += (long) Double.parseDouble(lines.group(1));
    }
    if (found == 0) {
      throw new AssertionError("no " + name + " among\n" + metrics);
    }
    return sum;
  }

  /** How much more it is than before, in bytes. */
  long growth(Memory before) {
    return Math.max(0, heap - before.heap) + Math.max(0, direct - before.direct);
  }
}
