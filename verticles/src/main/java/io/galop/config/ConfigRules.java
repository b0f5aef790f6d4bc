package io.galop.config;

import io.galop.config.broadcast.LinkConfig;
import io.galop.config.persist.PersistConfig;
import io.galop.record.Topic;
import io.galop.record.TopicFilter;
import io.galop.yaml.Words;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/** The rules that hold between sections; those within a section stand in its record. */
final class ConfigRules {
  private static final List<BiConsumer<GalopConfig, Refusals>> RULES =
      List.of(
          ConfigRules::aNameIsALine,
          ConfigRules::someRole,
          ConfigRules::eachRoleOnce,
          ConfigRules::aloneWithAllItNeeds,
          ConfigRules::aRelayIsNothingElse,
          ConfigRules::whoDialsRelaysStores,
          ConfigRules::aSecondCopyNeedsASecondNode,
          ConfigRules::aRecordFitsTheLog,
          ConfigRules::addressesHaveNoBrackets,
          ConfigRules::portsDiffer,
          ConfigRules::doorsAreGuarded,
          ConfigRules::othersComeByTls,
          ConfigRules::operatorsAreKnown,
          ConfigRules::allowedTopicsAreFilters,
          ConfigRules::presenceTopicsAreFilters,
          ConfigRules::publishersFitEachOther);

  private ConfigRules() {}

  static void check(GalopConfig config, Refusals refusals) {
    RULES.forEach(rule -> rule.accept(config, refusals));
  }

  private static void aNameIsALine(GalopConfig config, Refusals refusals) {
    NodeConfig.nameRule(config.node().name()).ifPresent(rule -> refusals.add("node.name", rule));
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
    boolean isAlone = !config.cluster().isClustered() && !config.broadcast().link().isGiven();
    if (!isAlone || config.roles().isEmpty()) {
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

  private static void aRelayIsNothingElse(GalopConfig config, Refusals refusals) {
    LinkConfig link = config.broadcast().link();
    if (!link.isGiven()) {
      return;
    }
    if (!config.roles().equals(List.of(Role.BROADCAST))) {
      refusals.add(
          "node.roles",
          "must be [broadcast] where broadcast.link.host is given: a relay runs nothing else");
    }
    if (config.cluster().isClustered()) {
      refusals.add(
          "cluster.members",
          "must be empty where broadcast.link.host is given: a relay is no member of the cluster");
    }
    if (!link.tls().isGiven() && !(link.insecure() && Listener.isLoopback(link.host()))) {
      refusals.add(
          "broadcast.link.tls.certificate",
          "must be given with key and clientCa: a link needs TLS (broadcast.link.insecure: true"
              + " does without on loopback only)");
    }
  }

  private static void whoDialsRelaysStores(GalopConfig config, Refusals refusals) {
    if (config.relays().isEmpty()) {
      return;
    }
    if (config.broadcast().link().isGiven()) {
      aRelayOfRelaysHasAll(config, refusals);
    } else if (!config.runs(Role.PERSIST)) {
      refusals.add(
          "relays",
          "can be given only where node.roles has persist, or broadcast.link.host is given: an"
              + " owner brings the feed, or a relay what it is sent");
    }
  }

  private static void aRelayOfRelaysHasAll(GalopConfig config, Refusals refusals) {
    if (config.broadcast().isWatched()) {
      refusals.add(
          "broadcast.interest",
          "must be all where broadcast.link.host and relays are given: a relay can send on only"
              + " what it is sent");
    }
    for (int relay = 0; relay < config.relays().size(); relay++) {
      if (!config.relays().get(relay).questions()) {
        refusals.add(
            "relays[" + relay + "].questions",
            "must be true where broadcast.link.host is given: only the owner of a shard sends its"
                + " records unasked");
      }
    }
  }

  private static void aSecondCopyNeedsASecondNode(GalopConfig config, Refusals refusals) {
    if (config.persist().ack() == PersistConfig.Ack.REPLICA && !config.cluster().isClustered()) {
      refusals.add("persist.ack", "can be replica only in a cluster: give cluster.members");
    }
  }

  /** Else its owner refuses it each time, and a door that keeps the order stands still. */
  private static void aRecordFitsTheLog(GalopConfig config, Refusals refusals) {
    int largest = config.ingest().limits().largestRecordBytes();
    if (config.runs(Role.PERSIST) && largest > config.persist().log().largestRecordBytes()) {
      refusals.add(
          "persist.log.segmentBytes",
          "must be at least %d, not %d, where ingest.limits.maxDataBytes is %d: a record takes a"
                  .formatted(
                      5L * largest,
                      config.persist().log().segmentBytes(),
                      config.ingest().limits().maxDataBytes())
              + " fifth of a segment at most, a dead letter of it included; or lower the limit on"
              + " all nodes");
    }
  }

  private static void addressesHaveNoBrackets(GalopConfig config, Refusals refusals) {
    Set<String> told = new HashSet<>(); // several listeners may share a host
    for (Listener listener : Listener.of(config)) {
      String host = listener.host();
      if (host.startsWith("[") && host.endsWith("]") && told.add(listener.hostKey())) {
        refusals.add(
            listener.hostKey(),
            "must be '%s', not '%s': only a URL has brackets around an address"
                .formatted(host.substring(1, host.length() - 1), host));
      }
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
        .filter(listener -> !config.ingest().asksWhoPublishes())
        .forEach(
            listener ->
                refusals.add(
                    listener.hostKey(),
                    "must be a loopback address (127.0.0.1, ::1, localhost), not '"
                        + listener.host()
                        + "', where none of ingest.token, ingest.tokenFile, ingest.publishers and"
                        + " ingest.publishersFile is given: anyone"
                        + " could send records"));
  }

  private static void othersComeByTls(GalopConfig config, Refusals refusals) {
    for (Listener listener : Listener.of(config)) {
      boolean isOpen = !listener.isLoopback() && !listener.tls().isGiven();
      if (isOpen && !listener.mayBeClear() && !listener.name().equals(Listener.LINK)) {
        String proxies =
            listener.name().equals(Listener.HTTP)
                ? ", or http.trustedProxies where a proxy ends TLS,"
                : "";
        refusals.add(
            listener.hostKey(),
            "must be a loopback address (127.0.0.1, ::1, localhost), not '%s', where the listener"
                    .formatted(listener.host())
                + " %s has no TLS: give %s.certificate and %2$s.key%s or %s.insecure: true if all"
                    .formatted(listener.name(), listener.tlsKey(), proxies, listener.section())
                + " may go in clear text");
      }
    }
  }

  private static void operatorsAreKnown(GalopConfig config, Refusals refusals) {
    ManagementConfig management = config.management();
    boolean isLoopback = Listener.of(config, Listener.MANAGEMENT).isLoopback();
    if (!isLoopback && management.operators().isEmpty() && !management.anonymous()) {
      refusals.add(
          "management.host",
          "must be a loopback address (127.0.0.1, ::1, localhost), not '%s', where"
                  .formatted(management.host())
              + " management.operators names nobody: give an operator with a tokenHash or a"
              + " certificate's subject, or management.anonymous: true if whoever reaches the port"
              + " may act");
    }
  }

  private static void allowedTopicsAreFilters(GalopConfig config, Refusals refusals) {
    int maxBytes = config.ingest().limits().maxTopicBytes();
    areFilters("ingest.allowTopics", config.ingest().allowTopics(), maxBytes, refusals);
  }

  /** Its own topic is longer than the filter, and no other's: a level may be {@code *}. */
  private static void presenceTopicsAreFilters(GalopConfig config, Refusals refusals) {
    int maxBytes = config.ingest().limits().maxTopicBytes() - Topic.presence("#").length();
    String key = "ingest.presence.topics";
    List<String> filters = config.ingest().presence().topics();
    areFilters(key, filters, maxBytes, refusals);
    Map<String, String> told = new HashMap<>();
    for (int i = 0; i < filters.size(); i++) {
      String topic = Topic.presence(filters.get(i));
      String other = told.putIfAbsent(topic, filters.get(i));
      if (other != null) {
        String rule = "must not have its records on " + topic + ", as '" + other + "' has";
        refusals.add(key + "[" + i + "]", rule);
      }
    }
  }

  private static void areFilters(
      String key, List<String> filters, int maxBytes, Refusals refusals) {
    for (int i = 0; i < filters.size(); i++) {
      try {
        TopicFilter.parse(filters.get(i), maxBytes);
      } catch (IllegalArgumentException e) {
        refusals.add(key + "[" + i + "]", "must be a topic filter, " + e.getMessage());
      }
    }
  }

  private static void publishersFitEachOther(GalopConfig config, Refusals refusals) {
    PublisherRules.check(config, "ingest.publishers", config.ingest().publishers(), refusals);
  }
}
