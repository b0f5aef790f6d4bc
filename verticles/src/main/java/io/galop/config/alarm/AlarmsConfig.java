package io.galop.config.alarm;

import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Conditions on topics that somebody has to look at. */
public record AlarmsConfig(
    @Doc("The rules; the same on all nodes with the role persist.") List<AlarmRuleConfig> rules,
    @Doc("Whom to tell, each in a way of its own.") List<AlarmTargetConfig> targets,
    @Doc("Most alarms of a node that are not normal; more are counted and raised later.")
        @Default("100000")
        @Range(min = 1, max = 10_000_000)
        int maxStanding,
    @Doc("Most topics of a node that rules watch; of more the conditions are not looked at.")
        @Default("1000000")
        @Range(min = 1, max = 100_000_000)
        int maxTopics,
    @Doc("Most records that wait to be looked at; more are counted and passed over.")
        @Default("200000")
        @Range(min = 1_000, max = 10_000_000)
        int maxWaiting) {
  public AlarmsConfig {
    rules = List.copyOf(rules);
    targets = List.copyOf(targets);
    Set<String> names = new HashSet<>();
    for (AlarmRuleConfig rule : rules) {
      if (!names.add(rule.name())) {
        throw new IllegalArgumentException(
            "rules must have different names, not two " + rule.name());
      }
    }
    for (AlarmRuleConfig rule : rules) {
      if (!rule.parent().isEmpty() && !names.contains(rule.parent())) {
        throw new IllegalArgumentException(
            "rules: the parent of %s must be the name of a rule, not '%s'"
                .formatted(rule.name(), rule.parent()));
      }
      checkParents(rule, rules);
    }
    checkTargets(targets);
  }

  private static void checkParents(AlarmRuleConfig rule, List<AlarmRuleConfig> rules) {
    var parents =
        rules.stream().collect(Collectors.toMap(AlarmRuleConfig::name, AlarmRuleConfig::parent));
    Set<String> seen = new HashSet<>();
    for (String at = rule.name(); !at.isEmpty(); at = parents.getOrDefault(at, "")) {
      if (!seen.add(at)) {
        throw new IllegalArgumentException(
            "rules: %s must not be a parent of its own".formatted(rule.name()));
      }
    }
  }

  private static void checkTargets(List<AlarmTargetConfig> targets) {
    Set<String> names = new HashSet<>();
    for (AlarmTargetConfig target : targets) {
      if (!names.add(target.name())) {
        throw new IllegalArgumentException(
            "targets must have different names, not two " + target.name());
      }
    }
  }
}
