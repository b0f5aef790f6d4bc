package io.galop.loadtest.targets;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a process has used, as the kernel tells it (proc(5)).
 *
 * @param cpuMicros processor time of all threads, in user and kernel mode, in microseconds
 * @param residentBytes resident memory
 * @param waits context switches because a thread had to wait, over all threads that live
 * @param preemptions context switches because another had its turn
 */
public record ProcessCost(long cpuMicros, long residentBytes, long waits, long preemptions) {
  /** The kernel's unit of time in /proc, USER_HZ, is 100 on every Linux platform Java runs on. */
  private static final long MICROS_PER_TICK = 10_000;

  private static final int USER_TICKS = 11;
  private static final int SYSTEM_TICKS = 12;

  /** What a process has used so far. */
  public static ProcessCost of(long pid) throws IOException {
    Path process = Path.of("/proc", Long.toString(pid));
    List<String> status = Files.readAllLines(process.resolve("status"));
    long waits = 0;
    long preemptions = 0;
    try (Stream<Path> threads = Files.list(process.resolve("task"))) {
      for (Path thread : threads.toList()) {
        List<String> lines = linesOf(thread.resolve("status"));
        waits += field(lines, "voluntary_ctxt_switches:");
        preemptions += field(lines, "nonvoluntary_ctxt_switches:");
      }
    }
    return new ProcessCost(cpuMicros(pid), residentBytes(status), waits, preemptions);
  }

  /** What several processes have used together. */
  public static ProcessCost of(List<Long> pids) throws IOException {
    ProcessCost sum = new ProcessCost(0, 0, 0, 0);
    for (long pid : pids) {
      ProcessCost one = of(pid);
      sum =
          new ProcessCost(
              sum.cpuMicros + one.cpuMicros,
              sum.residentBytes + one.residentBytes,
              sum.waits + one.waits,
              sum.preemptions + one.preemptions);
    }
    return sum;
  }

  /** What was used since then; the memory is that of now. */
  public ProcessCost since(ProcessCost before) {
    return new ProcessCost(
        cpuMicros - before.cpuMicros,
        residentBytes,
        waits - before.waits,
        preemptions - before.preemptions);
  }

  /** A thread may end while it is looked at. */
  private static List<String> linesOf(Path status) {
    try {
      return Files.readAllLines(status);
    } catch (IOException e) {
      return List.of();
    }
  }

  public static long cpuMicros(long pid) throws IOException {
    return cpuMicros(Files.readString(Path.of("/proc", Long.toString(pid), "stat")));
  }

  /** Of the line in {@code stat}, whose second field is a name that may hold anything. */
  static long cpuMicros(String stat) {
    String[] afterName = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    return MICROS_PER_TICK
        * (Long.parseLong(afterName[USER_TICKS]) + Long.parseLong(afterName[SYSTEM_TICKS]));
  }

  static long residentBytes(List<String> status) {
    return field(status, "VmRSS:") * 1024;
  }

  static long field(List<String> status, String name) {
    return status.stream()
        .filter(line -> line.startsWith(name))
        .mapToLong(line -> Long.parseLong(line.substring(name.length()).replaceAll("\\D", "")))
        .findFirst()
        .orElse(0);
  }
}
