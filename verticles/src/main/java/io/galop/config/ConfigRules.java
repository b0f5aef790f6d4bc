package io.galop.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/** The rules that hold between sections; those within a section stand in its record. */
final class ConfigRules {
  private static final List<BiConsumer<GalopConfig, Problems>> RULES =
      List.of(ConfigRules::someRole, ConfigRules::eachRoleOnce, ConfigRules::portsDiffer);

  private ConfigRules() {}

  static void check(GalopConfig config, Problems problems) {
    RULES.forEach(rule -> rule.accept(config, problems));
  }

  private static void someRole(GalopConfig config, Problems problems) {
    if (config.roles().isEmpty()) {
      problems.add("node.roles", "must name at least one role: " + roles(), "");
    }
  }

  private static void eachRoleOnce(GalopConfig config, Problems problems) {
    if (config.roles().stream().distinct().count() < config.roles().size()) {
      problems.add("node.roles", "must name each role once", "");
    }
  }

  private static void portsDiffer(GalopConfig config, Problems problems) {
    Map<Integer, String> taken = new LinkedHashMap<>();
    ports(config)
        .forEach(
            (path, port) -> {
              String other = port == 0 ? null : taken.putIfAbsent(port, path);
              if (other != null) {
                problems.add(path, "must differ from " + other + ", both are " + port, "");
              }
            });
  }

  private static Map<String, Integer> ports(GalopConfig config) {
    Map<String, Integer> ports = new LinkedHashMap<>();
    ports.put("http.port", config.http().port());
    ports.put("management.port", config.management().port());
    if (config.cluster().isClustered()) {
      ports.put("cluster.port", config.cluster().port());
      ports.put("cluster.busPort", config.cluster().busPort());
    }
    return ports;
  }

  private static String roles() {
    return Words.oneOf(Words.ofAll(Role.class));
  }
}
