package io.galop.loadtest.sample;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What all processors have done since the start of a virtual machine (/proc/stat, proc(5)).
 *
 * @param stolen ticks in which it wanted to run, and its host ran others
 * @param all ticks
 */
public record ProcessorTime(long stolen, long all) {
  private static final Path STAT = Path.of("/proc/stat");

  /** The columns of a line: its name, user, nice, system, idle, iowait, irq, softirq, steal. */
  private static final int STEAL = 8;

  /** Until now. */
  public static ProcessorTime now() throws IOException {
    try (BufferedReader lines = Files.newBufferedReader(STAT, StandardCharsets.US_ASCII)) {
      return of(lines.readLine());
    }
  }

  /** What the first line says, which is of all processors. */
  static ProcessorTime of(String line) {
    String[] fields = line.trim().split("\\s+");
    long all = 0;
    for (int i = 1; i <= STEAL; i++) {
      all += Long.parseLong(fields[i]);
    }
    return new ProcessorTime(Long.parseLong(fields[STEAL]), all);
  }

  /** How much of the time since then was stolen, in percent. */
  public double stolenPercentSince(ProcessorTime before) {
    return 100.0 * (stolen - before.stolen) / Math.max(1, all - before.all);
  }
}
