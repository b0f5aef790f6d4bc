package io.galop.persist.retention;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A {@link ClockTrust} in a file, at the moment of writing.
 *
 * @param baseMs what time it was as believed from the beginning
 * @param rises what time it was by each rise, and how long the node had run since
 * @param behindMs how long the node had run with a clock behind all that, if it was
 */
public record Noted(long baseMs, List<Rise> rises, OptionalLong behindMs) {
  private static final String TITLE = "galop retention clock 1";
  private static final String BEHIND = "behind ";

  /** A time that the clock rose to. */
  public record Rise(long wallMs, long ageMs) {}

  /** Takes a copy. */
  public Noted {
    rises = List.copyOf(rises);
  }

  /** Of a clock that is not behind. */
  public Noted(long baseMs, List<Rise> rises) {
    this(baseMs, rises, OptionalLong.empty());
  }

  /** The latest time that was seen and not taken back. */
  long topMs() {
    return rises.isEmpty() ? baseMs : rises.get(rises.size() - 1).wallMs();
  }

  /** What {@link #of} reads. */
  public String text() {
    return Stream.of(
            Stream.of(TITLE, "base " + baseMs),
            rises.stream().map(rise -> "rise " + rise.wallMs() + " " + rise.ageMs()),
            behindMs.stream().mapToObj(ms -> BEHIND + ms))
        .flatMap(lines -> lines)
        .collect(Collectors.joining("\n", "", "\nend\n"));
  }

  /** What a text says; empty if it is not whole. */
  public static Optional<Noted> of(String text) {
    List<String> lines = text.lines().toList();
    int last = lines.size() - 1;
    if (last < 2 || !lines.get(0).equals(TITLE) || !lines.get(last).equals("end")) {
      return Optional.empty();
    }
    try {
      List<Rise> rises = new ArrayList<>();
      OptionalLong behindMs = OptionalLong.empty();
      for (String line : lines.subList(2, last)) {
        if (line.startsWith(BEHIND)) {
          behindMs = OptionalLong.of(Long.parseLong(line.substring(BEHIND.length())));
          continue;
        }
        String[] words = line.split(" ");
        rises.add(new Rise(Long.parseLong(words[1]), Long.parseLong(words[2])));
      }
      long baseMs = Long.parseLong(lines.get(1).split(" ")[1]);
      return Optional.of(new Noted(baseMs, rises, behindMs));
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
      return Optional.empty();
    }
  }
}
