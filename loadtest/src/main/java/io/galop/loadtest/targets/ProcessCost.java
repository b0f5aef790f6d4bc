package io.galop.loadtest.targets;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What a process has used, as the kernel tells it (proc(5)). */
public final class ProcessCost {
  /** The kernel's unit of time in /proc, USER_HZ, is 100 on every Linux platform Java runs on. */
  private static final long MICROS_PER_TICK = 10_000;

  private static final int USER_TICKS = 11;
  private static final int SYSTEM_TICKS = 12;

  private ProcessCost() {}

  /** Processor time of all threads, in user and kernel mode, in microseconds. */
  public static long cpuMicros(long pid) throws IOException {
    String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
    String[] afterName = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    return MICROS_PER_TICK
        * (Long.parseLong(afterName[USER_TICKS]) + Long.parseLong(afterName[SYSTEM_TICKS]));
  }

  /** Resident memory, in bytes. */
  public static long residentBytes(long pid) throws IOException {
    List<String> status = Files.readAllLines(Path.of("/proc", Long.toString(pid), "status"));
    return status.stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
        .findFirst()
        .orElse(0);
  }
}
