package io.galop.persist.sink;

import io.galop.persist.store.StoreBatch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** What a store's own client does with the same statements, to measure beside. */
public interface Peer {

  /** What is measured, for the table. */
  String name();

  /** Makes ready what is not to be measured, such as files. */
  void prepare(List<StoreBatch> parcels, Path directory, int inFlight) throws Exception;

  /** Stores all; what it takes is measured. */
  void run() throws Exception;

  /** Runs a program that reads from a file to its end. */
  static Callable<Void> program(List<String> command, Path input) {
    return () -> {
      Path output = input.resolveSibling(input.getFileName() + ".out");
      Process process =
          new ProcessBuilder(command)
              .redirectInput(input.toFile())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      if (process.waitFor() != 0) {
        throw new IOException(command + " failed, see " + output);
      }
      return null;
    };
  }

  /** Runs all at once. */
  static void together(List<Callable<Void>> works) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(works.size());
    try {
      for (Future<Void> done : threads.invokeAll(works)) {
        done.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  /** Deals parcels out to so many. */
  static List<List<StoreBatch>> deal(List<StoreBatch> parcels, int to) {
    List<List<StoreBatch>> hands = new ArrayList<>();
    for (int i = 0; i < to; i++) {
      hands.add(new ArrayList<>());
    }
    for (int i = 0; i < parcels.size(); i++) {
      hands.get(i % to).add(parcels.get(i));
    }
    return hands;
  }
}
