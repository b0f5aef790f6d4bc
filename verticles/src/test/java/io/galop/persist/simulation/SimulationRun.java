package io.galop.persist.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** {@code ./simulate}: schedules with new seeds for so many seconds, or one seed again. */
public final class SimulationRun {
  private SimulationRun() {}

  /** So many schedules were run, and took so long. */
  record Figures(long schedules, double seconds) {
    double perSecond() {
      return schedules / seconds;
    }
  }

  /**
   * Runs schedules with one seed after the other.
   *
   * @param maxNs after which no other one begins
   * @param onFound gets what breaks a promise, from several threads
   */
  static Figures run(
      long firstSeed, long most, long maxNs, int threads, Consumer<Violation> onFound) {
    long begin = System.nanoTime();
    AtomicLong begun = new AtomicLong();
    Runnable some =
        () -> {
          while (System.nanoTime() - begin < maxNs) {
            long mine = begun.getAndIncrement();
            if (mine >= most) {
              return;
            }
            try {
              Schedule.run(firstSeed + mine, Mutant.NONE);
            } catch (Violation found) {
              onFound.accept(found);
            }
          }
        };
    inThreads(threads, some);
    return new Figures(Math.min(begun.get(), most), (System.nanoTime() - begin) / 1e9);
  }

  private static void await(Thread one) {
    try {
      one.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * How many schedules it takes to find a mutant.
   *
   * @return -1 if none of so many does
   */
  static long schedulesToFind(Mutant mutant, long firstSeed, long atMost) {
    AtomicLong first = new AtomicLong(Long.MAX_VALUE);
    AtomicLong begun = new AtomicLong();
    inThreads(
        Runtime.getRuntime().availableProcessors(),
        () -> {
          for (long i = begun.incrementAndGet();
              i <= atMost && i < first.get();
              i = begun.incrementAndGet()) {
            try {
              Schedule.run(firstSeed + i - 1, mutant);
            } catch (Violation found) {
              first.accumulateAndGet(i, Math::min);
            }
          }
        });
    return first.get() == Long.MAX_VALUE ? -1 : first.get();
  }

  private static void inThreads(int threads, Runnable some) {
    List<Thread> all = new ArrayList<>();
    for (int i = 1; i < threads; i++) {
      Thread one = new Thread(some, "simulation-" + i);
      one.start();
      all.add(one);
    }
    some.run();
    all.forEach(SimulationRun::await);
  }

  /**
   * {@code --seconds N}, {@code --from SEED} before it for seeds that are not new; {@code --seed
   * N}, or {@code --mutants N}.
   */
  public static void main(String[] arguments) {
    long from = System.currentTimeMillis() * 1_000_000;
    for (int i = 0; i + 1 < arguments.length; i += 2) {
      long value = Long.parseLong(arguments[i + 1]);
      switch (arguments[i]) {
        case "--from" -> from = value;
        case "--seconds" -> exit(from, Long.MAX_VALUE, value);
        case "--seed" -> exit(value, 1, Integer.MAX_VALUE);
        case "--mutants" -> printMutants((int) value);
        default -> throw new IllegalArgumentException(arguments[i]);
      }
    }
  }

  private static void exit(long from, long most, long seconds) {
    AtomicLong violations = new AtomicLong();
    Figures figures =
        run(
            from,
            most,
            seconds * 1_000_000_000L,
            Runtime.getRuntime().availableProcessors(),
            found -> {
              violations.incrementAndGet();
              System.out.println(found.getMessage());
            });
    System.out.printf(
        "%d schedules, %.0f a second, found: %d%n",
        figures.schedules(), figures.perSecond(), violations.get());
    System.exit(violations.get() > 0 ? 1 : 0);
  }

  private static void printMutants(int most) {
    for (Mutant each : Mutant.values()) {
      if (each != Mutant.NONE) {
        System.out.printf("| %s | %s | %d |%n", each, each.fault, schedulesToFind(each, 1, most));
      }
    }
  }
}
