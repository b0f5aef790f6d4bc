package io.galop.config;

import io.galop.config.persist.PersistConfig;
import io.galop.record.TopicFilter;
import io.galop.yaml.Words;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/** The rules that hold between sections; those within a section stand in its record. */
final class ConfigRules {
  private static final List<BiConsumer<GalopConfig, Refusals>> RULES =
      List.of(
          ConfigRules::someRole,
          ConfigRules::eachRoleOnce,
          ConfigRules::aloneWithAllItNeeds,
          ConfigRules::aSecondCopyNeedsASecondNode,
          ConfigRules::portsDiffer,
          ConfigRules::doorsAreGuarded,
          ConfigRules::allowedTopicsAreFilters);

  /** Takes what is wrong. */
  interface Refusals {
    /** At a dotted path, what must be otherwise. */
    void add(String path, String rule);
  }

  private ConfigRules() {}

  static void check(GalopConfig config, Refusals refusals) {
    RULES.forEach(rule -> rule.accept(config, refusals));
  }

  private static void someRole(GalopConfig config, Refusals refusals) {
    if (config.roles().isEmpty()) {
      refusals.add(
          "node.roles", "must name at least one role: " + Words.oneOf(Words.ofAll(Role.class)));
    }
  }

  private static void eachRoleOnce(GalopConfig config, Refusals refusals) {
    if (config.roles().stream().distinct().count() < config.roles().size()) {
      refusals.add("node.roles", "must name each role once");
    }
  }

  private static void aloneWithAllItNeeds(GalopConfig config, Refusals refusals) {
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
      refusals.add(
          "cluster.members",
          "must name nodes that run " + roles + ", as this one is alone and does not");
    }
  }

  private static void aSecondCopyNeedsASecondNode(GalopConfig config, Refusals refusals) {
    if (config.persist().ack() == PersistConfig.Ack.REPLICA && !config.cluster().isClustered()) {
      refusals.add("persist.ack", "can be replica only in a cluster: give cluster.members");
    }
  }

  private static void portsDiffer(GalopConfig config, Refusals refusals) {
    Map<Integer, Listener> taken = new HashMap<>();
    for (Listener listener : Listener.of(config)) {
      int port = listener.port();
      Listener other = port == 0 ? null : taken.putIfAbsent(port, listener);
      if (other != null) {
        refusals.add(
            listener.portKey(), "must differ from " + other.portKey() + ", both are " + port);
      }
    }
  }

  private static void doorsAreGuarded(GalopConfig config, Refusals refusals) {
    Listener.of(config).stream()
        .filter(listener -> listener.takesRecords() && !listener.isLoopback())
        .filter(listener -> !config.ingest().hasToken())
        .forEach(
            listener ->
                refusals.add(
                    listener.hostKey(),
                    "must be a loopback address (127.0.0.1, ::1, localhost), not '"
                        + listener.host()
                        + "', where neither ingest.token nor ingest.tokenFile is given: anyone"
                        + " could send records"));
  }

  private static void allowedTopicsAreFilters(GalopConfig config, Refusals refusals) {
    List<String> filters = config.ingest().allowTopics();
    for (int i = 0; i < filters.size(); i++) {
      try {
        TopicFilter.parse(filters.get(i), config.ingest().limits().maxTopicBytes());
      } catch (IllegalArgumentException e) {
        refusals.add("ingest.allowTopics[" + i + "]", "must be a topic filter, " + e.getMessage());
      }
    }
  }
}
