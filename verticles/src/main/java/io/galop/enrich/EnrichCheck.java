package io.galop.enrich;

import io.galop.config.GalopConfig;
import io.galop.config.Role;
import io.galop.config.enrich.EnricherConfig;
import io.galop.config.enrich.LookupConfig;
import io.galop.config.enrich.SchemaConfig;
import io.galop.config.enrich.ScriptConfig;
import io.galop.enrich.script.ScriptCheck;
import io.galop.enrich.step.DeadLetter;
import io.galop.jvm.ErrorText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Tries the files that the chain needs, before anything is started. */
public final class EnrichCheck {
  private EnrichCheck() {}

  /**
   * Reads every table and loads every script that this node needs; blocks, a second or two with
   * scripts.
   *
   * @return what is wrong, each a sentence that begins with the step's dotted path
   */
  public static List<String> problems(GalopConfig config) {
    List<String> problems = new ArrayList<>();
    if (!config.runs(Role.ENRICH)) {
      return problems;
    }
    List<EnricherConfig> chain = config.enrich().chain();
    Map<String, String> named = new HashMap<>();
    for (int i = 0; i < chain.size(); i++) {
      String path = "enrich.chain[" + i + "]: ";
      problem(config, chain.get(i)).ifPresent(problem -> problems.add(path + problem));
      sharedName(chain.get(i), named).ifPresent(problem -> problems.add(path + problem));
    }
    return problems;
  }

  /** Counts, dead letters and who drives them again go by it: two files must not share one. */
  private static Optional<String> sharedName(EnricherConfig step, Map<String, String> named) {
    String kind = "lookup";
    String file = "";
    if (step instanceof ScriptConfig script) {
      kind = "script";
      file = script.file();
    } else if (step instanceof SchemaConfig schema) {
      kind = "schema";
      file = schema.file();
    } else if (step instanceof LookupConfig lookup && lookup.isFile()) {
      file = lookup.table();
    }
    if (file.isEmpty()) {
      return Optional.empty();
    }
    String name = DeadLetter.baseName(file);
    String other = named.putIfAbsent(kind + " " + name, file);
    return other == null || other.equals(file)
        ? Optional.empty()
        : Optional.of(
            "%s and %s would share the name '%s', by which they are counted and their dead letters are found; rename one of the files"
                .formatted(file, other, name));
  }

  private static Optional<String> problem(GalopConfig config, EnricherConfig step) {
    String directory = config.enrich().directory();
    if (step instanceof ScriptConfig script) {
      return ScriptCheck.problem(script, directory, config.ingest().limits().maxTopicBytes());
    }
    if (step instanceof SchemaConfig schema) {
      return unreadable(SchemaStep.file(schema, directory));
    }
    return step instanceof LookupConfig lookup && lookup.isFile()
        ? unreadable(Lookup.file(lookup, directory))
        : Optional.empty();
  }

  private static Optional<String> unreadable(StepFile<?> file) {
    try {
      file.load();
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.of(ErrorText.of(e));
    }
  }
}
