package io.galop.enrich.script;

import io.galop.guest.SourceFile;
import io.galop.scratch.ProcessDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Runs the cases of a new version of a script, and says where they are. */
public final class CandidateCheck {
  private static final int MOST_LINES = 6;

  private CandidateCheck() {}

  /** What the file with the cases of a script is called. */
  public static String casesFile(String file) {
    return new ScriptPlace(".", file).casesFile();
  }

  /**
   * The cases that stand beside a script.
   *
   * @throws IllegalArgumentException if they cannot be read
   */
  public static Optional<String> cases(String directory, String file) {
    try {
      return new ScriptPlace(directory, file).cases();
    } catch (IOException e) {
      throw new IllegalArgumentException(casesFile(file) + " cannot be read: " + e.getMessage(), e);
    }
  }

  /**
   * Runs cases, each on a script freshly loaded.
   *
   * @param cases the text of a file of cases
   * @return the first one that fails, and how; empty if none does
   * @throws IllegalArgumentException if the cases are wrong as such, saying where
   */
  public static Optional<String> problem(SourceFile script, String cases) {
    try {
      Path directory = ProcessDirectory.newDirectory("script-");
      Path written = directory.resolve(script.name());
      try {
        Files.writeString(written, script.text());
        return problem(new ScriptPlace(directory.toString(), script.name()), cases);
      } finally {
        ProcessDirectory.delete(directory);
      }
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "the cases of " + script.name() + " cannot be run: " + e.getMessage(), e);
    }
  }

  private static Optional<String> problem(ScriptPlace place, String cases) {
    for (ScriptCase one : ScriptCases.read(place.casesFile(), cases)) {
      List<String> differences = CaseRun.differences(place, one);
      if (!differences.isEmpty()) {
        String how = shown(differences);
        return Optional.of(
            "%s: the case '%s' fails: %s".formatted(place.casesFile(), one.name(), how));
      }
    }
    return Optional.empty();
  }

  private static String shown(List<String> differences) {
    int more = differences.size() - MOST_LINES;
    String first = String.join(" | ", more > 0 ? differences.subList(0, MOST_LINES) : differences);
    return more > 0 ? first + " | and " + more + " lines more" : first;
  }
}
