package io.galop.enrich.script.mapping;

import io.galop.enrich.script.ScriptFailure;
import io.galop.expression.CelValues;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Rules that decide, name values and repeat; those that keep state are in {@link StateRules}. */
final class Rules {
  private Rules() {}

  static void runAll(List<Rule> rules, MappingCall call) throws ScriptFailure {
    for (Rule rule : rules) {
      call.spend(rule.place());
      if (!rule.run(call)) {
        return;
      }
    }
  }

  /** Refuses the record unless something is so. */
  record Require(MappingPlace place, Field condition, String otherwise) implements Rule {
    @Override
    public boolean run(MappingCall call) throws ScriptFailure {
      if (!condition.isTrue(call)) {
        throw place.failure(otherwise);
      }
      return true;
    }
  }

  /** Leaves out the rest of its list. */
  record Skip(MappingPlace place, Field condition) implements Rule {
    @Override
    public boolean run(MappingCall call) throws ScriptFailure {
      return !condition.isTrue(call);
    }
  }

  /** KnownNames values, one after the other. */
  record Let(MappingPlace place, Map<String, Field> values) implements Rule {
    @Override
    public boolean run(MappingCall call) throws ScriptFailure {
      for (Map.Entry<String, Field> one : values.entrySet()) {
        call.set(one.getKey(), one.getValue().value(call));
      }
      return true;
    }
  }

  /** Does a rule only if something is so. */
  record When(MappingPlace place, Field condition, Rule rule) implements Rule {
    @Override
    public boolean run(MappingCall call) throws ScriptFailure {
      return !condition.isTrue(call) || rule.run(call);
    }
  }

  /** Rules that belong together. */
  record Block(MappingPlace place, List<Rule> rules) implements Rule {
    @Override
    public boolean run(MappingCall call) throws ScriptFailure {
      runAll(rules, call);
      return true;
    }
  }

  /** Rules for each element of a list. */
  record Each(MappingPlace place, Field list, String name, List<Rule> rules) implements Rule {
    @Override
    public boolean run(MappingCall call) throws ScriptFailure {
      Optional<Object> given = list.present(call);
      if (given.isEmpty() || CelValues.plain(given.get()) == null) {
        return true;
      }
      if (!(given.get() instanceof Collection<?> elements)) {
        throw list.place().failure("'each' needs a list");
      }
      for (Object element : elements) {
        call.set(name, element);
        runAll(rules, call);
      }
      return true;
    }
  }

  /**
   * Makes a record.
   *
   * @param topic null: that of the input
   * @param time null: that of the input
   * @param last whether it comes after those that are not
   */
  record Emit(
      MappingPlace place, @Nullable Field topic, @Nullable Field time, Shape data, boolean last)
      implements Rule {
    @Override
    public boolean run(MappingCall call) throws ScriptFailure {
      Map<String, Object> record = new HashMap<>();
      if (topic != null) {
        record.put("topic", topic.value(call));
      }
      if (time != null) {
        record.put("timeUs", time.value(call));
      }
      Object made = data.value(call).map(CelValues::plain).orElse("");
      if (!(made instanceof Map<?, ?>)) {
        throw place.failure("'data' is no object");
      }
      record.put("data", made);
      call.emit(record, last);
      return true;
    }
  }
}
