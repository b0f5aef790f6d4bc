package io.galop.config;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/** The rules that hold between sections; those within a section stand in its record. */
final class ConfigRules {
  private static final List<BiConsumer<GalopConfig, Problems>> RULES =
      List.of(
          ConfigRules::someRole,
          ConfigRules::eachRoleOnce,
          ConfigRules::aloneWithAllItNeeds,
          ConfigRules::portsDiffer,
          ConfigRules::doorsAreGuarded);

  private ConfigRules() {}

  static void check(GalopConfig config, Problems problems) {
    RULES.forEach(rule -> rule.accept(config, problems));
  }

  private static void someRole(GalopConfig config, Problems problems) {
    if (config.roles().isEmpty()) {
      problems.add(
          "node.roles", "must name at least one role: " + Words.oneOf(Words.ofAll(Role.class)), "");
    }
  }

  private static void eachRoleOnce(GalopConfig config, Problems problems) {
    if (config.roles().stream().distinct().count() < config.roles().size()) {
      problems.add("node.roles", "must name each role once", "");
    }
  }

  private static void aloneWithAllItNeeds(GalopConfig config, Problems problems) {
    if (config.cluster().isClustered() || config.roles().isEmpty()) {
      return;
    }
    List<String> missing = new ArrayList<>();
    if (config.runs(Role.INGEST) && !config.runs(Role.ENRICH)) {
      missing.add(Role.ENRICH.word());
    }
    if (!config.runs(Role.PERSIST)) {
      missing.add(Role.PERSIST.word());
    }
    if (!missing.isEmpty()) {
      String roles = String.join(" and ", missing);
      problems.add(
          "cluster.members",
          "must name nodes that run " + roles + ", as this one is alone and does not",
          "");
    }
  }

  private static void portsDiffer(GalopConfig config, Problems problems) {
    Map<Integer, Listener> taken = new HashMap<>();
    for (Listener listener : Listener.of(config)) {
      int port = listener.port();
      Listener other = port == 0 ? null : taken.putIfAbsent(port, listener);
      if (other != null) {
        problems.add(
            listener.portKey(), "must differ from " + other.portKey() + ", both are " + port, "");
      }
    }
  }

  private static void doorsAreGuarded(GalopConfig config, Problems problems) {
    Listener.of(config).stream()
        .filter(listener -> listener.takesRecords() && !listener.isLoopback())
        .filter(listener -> !config.ingest().hasToken())
        .forEach(
            listener ->
                problems.add(
                    listener.hostKey(),
                    "must be a loopback address (127.0.0.1, ::1, localhost), not '"
                        + listener.host()
                        + "', where neither ingest.token nor ingest.tokenFile is given: anyone"
                        + " could send records",
                    ""));
  }
}
