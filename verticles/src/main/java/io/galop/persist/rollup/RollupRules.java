package io.galop.persist.rollup;

import io.galop.config.persist.RollupRule;
import io.galop.record.TopicFilter;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/** Which fields of a topic are rolled up: those of all rules that mean it. Immutable. */
final class RollupRules {
  private final List<Rule> rules;

  /** A rule of the configuration, parsed. */
  private record Rule(TopicFilter filter, List<String> fields) {}

  /** A rule's filter and one of its fields, from a time on that is told beside it. */
  record Part(String filter, String field) {}

  RollupRules(List<RollupRule> rules) {
    this.rules = rules.stream().map(one -> new Rule(one.filter(), one.fields())).toList();
  }

  /** The fields of a topic; none for most. */
  List<String> fields(String topic) {
    Set<String> fields = new LinkedHashSet<>();
    for (Rule rule : rules) {
      if (rule.filter().matches(topic)) {
        fields.addAll(rule.fields());
      }
    }
    return List.copyOf(fields);
  }

  /** Every field of every rule. */
  Set<Part> parts() {
    Set<Part> parts = new LinkedHashSet<>();
    for (Rule rule : rules) {
      rule.fields().forEach(field -> parts.add(new Part(rule.filter().toString(), field)));
    }
    return parts;
  }

  /**
   * From when on all values of some fields of some topics are rolled up.
   *
   * @param sinceUs of each {@link #parts part}, microseconds since 1970
   * @return empty if they are not
   */
  OptionalLong since(TopicFilter filter, List<String> fields, Map<Part, Long> sinceUs) {
    long since = Long.MIN_VALUE;
    for (String field : fields) {
      OptionalLong one = since(filter, field, sinceUs);
      if (one.isEmpty()) {
        return one;
      }
      since = Math.max(since, one.getAsLong());
    }
    return OptionalLong.of(since);
  }

  /** Whether all of some fields of some topics are rolled up. */
  boolean mean(TopicFilter filter, List<String> fields) {
    return fields.stream()
        .allMatch(
            field ->
                rules.stream()
                    .anyMatch(
                        rule -> rule.filter().covers(filter) && rule.fields().contains(field)));
  }

  private OptionalLong since(TopicFilter filter, String field, Map<Part, Long> sinceUs) {
    return rules.stream()
        .filter(rule -> rule.filter().covers(filter) && rule.fields().contains(field))
        .map(rule -> sinceUs.get(new Part(rule.filter().toString(), field)))
        .filter(java.util.Objects::nonNull)
        .mapToLong(Long::longValue)
        .min();
  }
}
