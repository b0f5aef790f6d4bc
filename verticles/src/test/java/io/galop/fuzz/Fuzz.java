package io.galop.fuzz;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What Jazzer calls: {@code -Dgalop.fuzz.target} names the target; without it the first byte of
 * each input chooses one of all.
 */
public final class Fuzz {
  private static final String ONE = System.getProperty("galop.fuzz.target", "");
  private static final List<String> NAMES = new ArrayList<>(Targets.ALL.keySet());
  private static final Map<String, Target> OPEN = new HashMap<>();

  private Fuzz() {}

  /** Called once before all inputs, so that none takes the time that a node needs to start. */
  public static void fuzzerInitialize() throws Exception {
    for (String name : ONE.isEmpty() ? NAMES : List.of(ONE)) {
      OPEN.put(name, Targets.open(name));
    }
  }

  public static void fuzzerTestOneInput(byte[] input) throws Exception {
    if (!ONE.isEmpty()) {
      OPEN.get(ONE).run(input);
    } else if (input.length > 0) {
      OPEN.get(NAMES.get((input[0] & 0xff) % NAMES.size())).run(Pieces.rest(input));
    }
  }

  /** Puts the inputs of files into a target: {@code TARGET FILE…}. */
  public static void main(String[] args) throws Exception {
    try (Target target = Targets.open(args[0])) {
      for (int i = 1; i < args.length; i++) {
        target.run(Files.readAllBytes(Path.of(args[i])));
        System.out.println(args[i] + ": nothing found");
      }
    }
    System.exit(0);
  }
}
