package io.galop.persist.simulation;

/** {@code ./simulate}: schedules with new seeds for so many seconds, or one seed again. */
public final class SimulationRun {
  private SimulationRun() {}

  /**
   * How many schedules it takes to find a mutant.
   *
   * @return -1 if none of so many does
   */
  static int schedulesToFind(Mutant mutant, long firstSeed, int atMost) {
    for (int i = 0; i < atMost; i++) {
      try {
        Schedule.run(firstSeed + i, mutant);
      } catch (Violation found) {
        return i + 1;
      }
    }
    return -1;
  }

  /** {@code --seconds N} or {@code --seed N}, and {@code --mutant NAME}. */
  public static void main(String[] arguments) {
    long seconds = 60;
    long seed = System.currentTimeMillis() * 1_000_000;
    boolean isOne = false;
    Mutant mutant = Mutant.NONE;
    for (int i = 0; i + 1 < arguments.length; i += 2) {
      switch (arguments[i]) {
        case "--seconds" -> seconds = Long.parseLong(arguments[i + 1]);
        case "--from" -> seed = Long.parseLong(arguments[i + 1]);
        case "--seed" -> {
          seed = Long.parseLong(arguments[i + 1]);
          isOne = true;
        }
        case "--mutants" -> {
          for (Mutant each : Mutant.values()) {
            int most = Integer.parseInt(arguments[i + 1]);
            int found = each == Mutant.NONE ? 0 : schedulesToFind(each, 1, most);
            System.out.printf("| %s | %s | %d |%n", each, each.fault, found);
          }
          return;
        }
        case "--mutant" -> mutant = Mutant.valueOf(arguments[i + 1]);
        default -> throw new IllegalArgumentException(arguments[i]);
      }
    }
    long begin = System.nanoTime();
    long count = 0;
    do {
      try {
        Schedule.run(seed + count, mutant);
      } catch (Violation found) {
        System.out.println(found.getMessage());
        System.exit(1);
      }
      count++;
    } while (!isOne && System.nanoTime() - begin < seconds * 1_000_000_000L);
    double took = (System.nanoTime() - begin) / 1e9;
    System.out.printf("%d schedules, %.0f a second: nothing found%n", count, count / took);
  }
}
