package io.galop.alarm;

import io.galop.config.alarm.AlarmRuleConfig;
import io.galop.expression.ExpressionFailure;
import io.galop.record.Topic;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * All rules by the first level of their filters, so that a topic meets those only that begin as it
 * does. Immutable.
 */
final class RuleSet {
  private final List<AlarmRule> rules;
  private final Map<String, List<AlarmRule>> byFirstLevel = new HashMap<>();
  private final List<AlarmRule> wild = new ArrayList<>();
  private final Map<String, Integer> depths = new HashMap<>();

  private RuleSet(List<AlarmRule> rules) {
    this.rules = List.copyOf(rules);
    Map<String, String> parents = new HashMap<>();
    rules.forEach(rule -> parents.put(rule.name(), rule.config().parent()));
    for (AlarmRule rule : rules) {
      depths.put(rule.name(), depth(rule.name(), parents));
      String first = firstLevel(rule.config().topics());
      if (first.equals("+") || first.equals("#")) {
        wild.add(rule);
      } else {
        byFirstLevel.computeIfAbsent(first, level -> new ArrayList<>()).add(rule);
      }
    }
  }

  /**
   * Compiles rules.
   *
   * @throws ExpressionFailure naming the rule, and at which column what is wrong
   */
  static RuleSet of(List<AlarmRuleConfig> configs) throws ExpressionFailure {
    List<AlarmRule> rules = new ArrayList<>();
    for (AlarmRuleConfig config : configs) {
      rules.add(AlarmRule.of(config));
    }
    return new RuleSet(rules);
  }

  /** How many parents are above a rule; the configuration sees to it that there is no circle. */
  private static int depth(String rule, Map<String, String> parents) {
    int depth = 0;
    for (String at = parents.getOrDefault(rule, "");
        !at.isEmpty();
        at = parents.getOrDefault(at, "")) {
      depth++;
    }
    return depth;
  }

  private static String firstLevel(String topic) {
    int slash = topic.indexOf('/');
    return slash < 0 ? topic : topic.substring(0, slash);
  }

  /** Alarms are records too: a rule on these would feed itself. */
  static boolean mayWatch(String topic) {
    return !topic.startsWith(Topic.ALARM);
  }

  /** As they were configured. */
  List<AlarmRule> all() {
    return rules;
  }

  /** Whether the rule of an alarm is among them, and still means its topic. */
  boolean has(AlarmState alarm) {
    return of(alarm.topic()).stream().anyMatch(rule -> rule.name().equals(alarm.rule()));
  }

  /** The topics of a shard that rules name without wildcards. */
  List<String> exactTopics(int shards, int shard) {
    return rules.stream()
        .filter(rule -> rule.filter().isExact())
        .map(rule -> rule.filter().toString())
        .filter(topic -> Topic.shard(topic, shards) == shard)
        .toList();
  }

  /**
   * Those of a topic: parents first, so that a record that raises both raises no alarm that is
   * suppressed at once; of the same field beside each other.
   */
  List<AlarmRule> of(String topic) {
    List<AlarmRule> found = new ArrayList<>();
    List<AlarmRule> named = byFirstLevel.getOrDefault(firstLevel(topic), List.of());
    named.stream().filter(rule -> rule.matches(topic)).forEach(found::add);
    wild.stream().filter(rule -> rule.matches(topic)).forEach(found::add);
    found.sort(
        Comparator.<AlarmRule>comparingInt(rule -> depths.getOrDefault(rule.name(), 0))
            .thenComparing(AlarmRule::field));
    return found;
  }
}
