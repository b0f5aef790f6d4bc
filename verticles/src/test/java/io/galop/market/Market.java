package io.galop.market;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A horse-race market to test with: its messages, one JSON object each, as they came.
 *
 * @param name what a test report calls it
 */
public record Market(String name, List<String> lines) {
  private static final String WIN = "betfair-win-1.132153978.jsonl";
  private static final String PLACE = "betfair-place-1.181223995.jsonl";

  /** Small ones with names: a generated one, and the recorded one where it is at hand. */
  public static List<Market> wins() {
    return both(new Market("generated win market", GeneratedMarket.win()), WIN);
  }

  /** Large ones: a generated one, and the recorded one where it is at hand. */
  public static List<Market> places() {
    return both(new Market("generated place market", GeneratedMarket.place()), PLACE);
  }

  private static List<Market> both(Market generated, String recording) {
    List<Market> markets = new ArrayList<>(List.of(generated));
    Path file = directory().resolve(recording);
    if (Files.exists(file)) {
      try {
        List<String> lines = Files.readAllLines(file).stream().filter(l -> !l.isBlank()).toList();
        markets.add(new Market(recording, lines));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return markets;
  }

  /** Writes it to a file as long as this many of it. */
  public Path write(Path directory, int times) throws IOException {
    Path file = directory.resolve("market.jsonl");
    try (var out = Files.newBufferedWriter(file)) {
      for (int i = 0; i < times; i++) {
        for (String line : lines) {
          out.write(line);
          out.write('\n');
        }
      }
    }
    return file;
  }

  @Override
  public String toString() {
    return name;
  }

  private static Path directory() {
    String given = System.getProperty("GALOP_DATA", System.getenv("GALOP_DATA"));
    if (given != null) {
      return Path.of(given);
    }
    Path root = Path.of("").toAbsolutePath();
    while (!Files.exists(root.resolve("cluster.xml")) && root.getParent() != null) {
      root = root.getParent();
    }
    return root.resolveSibling("shared/data");
  }
}
