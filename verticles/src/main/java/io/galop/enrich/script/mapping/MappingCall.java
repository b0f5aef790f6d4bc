package io.galop.enrich.script.mapping;

import io.galop.config.enrich.ScriptConfig;
import io.galop.enrich.script.ScriptFailure;
import io.galop.enrich.script.ScriptOutputs;
import io.galop.expression.CelValues;
import io.galop.expression.ExpressionVariables;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A record on its way through the rules: its variables, rows of state, and what is emitted. */
final class MappingCall implements ExpressionVariables {
  private final ScriptConfig config;
  private final Map<Object, @Nullable Object> state;
  private final StateWrites writes = new StateWrites();
  private final Map<String, Optional<Object>> variables = new HashMap<>();
  private final Map<String, Map<Object, @Nullable Object>> rows = new HashMap<>();
  private final List<Object> outputs = new ArrayList<>();
  private final List<Object> lastOutputs = new ArrayList<>();
  private long spent;

  /**
   * @param state of the record's topic
   */
  MappingCall(ScriptConfig config, Map<Object, @Nullable Object> state) {
    this.config = config;
    this.state = state;
  }

  @Override
  public Optional<Object> find(String name) {
    Optional<Object> known = variables.get(name);
    return known == null ? Optional.empty() : known;
  }

  void set(String name, Object value) {
    variables.put(name, Optional.of(value));
  }

  /** Counts a step, and ends the call when it has taken too many, or too long. */
  void spend(MappingPlace place) throws ScriptFailure {
    if (++spent > config.maxStatements()) {
      throw place.limit("it executed more than maxStatements, " + config.maxStatements());
    }
    if (Thread.currentThread().isInterrupted()) {
      throw place.failure("it was ended");
    }
  }

  StateWrites writes() {
    return writes;
  }

  /** A row that a rule has named. */
  Map<Object, @Nullable Object> row(String name) {
    Map<Object, @Nullable Object> row = rows.get(name);
    if (row == null) {
      throw new IllegalStateException("the row " + name + " is not there");
    }
    return row;
  }

  /** Gives a row a name; expressions see it as it is when they are evaluated. */
  void setRow(String name, Map<Object, @Nullable Object> row) {
    rows.put(name, row);
    set(name, CelValues.view(row));
  }

  /** A table of the topic's state or of a row, made where it is not there. */
  Map<Object, @Nullable Object> table(StateTable table) throws ScriptFailure {
    return child(table.row().isEmpty() ? state : row(table.row()), table.name(), table.place());
  }

  /** A map in a map, made where it is not there. */
  @SuppressWarnings("unchecked") // of the state, or made here
  Map<Object, @Nullable Object> child(
      Map<Object, @Nullable Object> in, String key, MappingPlace place) throws ScriptFailure {
    Object known = in.get(key);
    if (known instanceof Map<?, ?> map) {
      return (Map<Object, @Nullable Object>) map;
    } else if (known != null) {
      throw place.failure("'" + key + "' is no table but a value that was set");
    }
    Map<Object, @Nullable Object> made = new LinkedHashMap<>();
    writes.put(in, key, made);
    return made;
  }

  void emit(Map<String, Object> record, boolean last) throws ScriptFailure {
    (last ? lastOutputs : outputs).add(record);
    ScriptOutputs.checkCount(outputs.size() + (long) lastOutputs.size(), config.maxOutputs());
  }

  List<Object> outputs() {
    outputs.addAll(lastOutputs);
    return outputs;
  }
}
