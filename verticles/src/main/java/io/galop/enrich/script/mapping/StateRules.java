package io.galop.enrich.script.mapping;

import io.galop.enrich.script.ScriptFailure;
import io.galop.expression.CelValues;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Rules that keep state by key. */
final class StateRules {
  /** Rows of a table, unless the rule says how many. */
  static final long MOST_ROWS = 10_000;

  private static final String ROW = "row";
  private static final String LAST = "last";

  private StateRules() {}

  /**
   * How many rows a table may have, and which one gives way to another.
   *
   * @param max null: {@link #MOST_ROWS}
   * @param first rows for which it is true go first; null: the one that was not used for the
   *     longest
   */
  record Bound(@Nullable Field max, @Nullable Field first) {
    /** Makes room for one more row. */
    void makeRoom(Map<Object, @Nullable Object> rows, MappingCall call) throws ScriptFailure {
      if (rows.size() >= most(call)) {
        call.writes().remove(rows, goes(rows, call));
      }
    }

    /** How many rows there may be; known when the settings are. */
    long most(MappingCall call) throws ScriptFailure {
      if (max == null) {
        return MOST_ROWS;
      }
      if (max.value(call) instanceof Long most && most > 0) {
        return most;
      }
      throw max.place().failure("'max' must be a whole number above 0");
    }

    private Object goes(Map<Object, @Nullable Object> rows, MappingCall call) throws ScriptFailure {
      if (first != null) {
        for (Object key : List.copyOf(rows.keySet())) {
          if (rows.get(key) instanceof Map<?, ?> row) {
            call.set(ROW, CelValues.view(row));
            if (first.isTrue(call)) {
              return key;
            }
          }
        }
      }
      return rows.keySet().iterator().next();
    }
  }

  /** The row of a key, made where it is not there; it is the one that was used last now. */
  private static Map<Object, @Nullable Object> row(
      StateTable table, String key, Bound bound, MappingCall call) throws ScriptFailure {
    Map<Object, @Nullable Object> rows = call.table(table);
    if (rows.containsKey(key)) {
      if (bound.max() != null) {
        StateWrites.touch(rows, key);
      }
    } else {
      bound.makeRoom(rows, call);
    }
    return call.child(rows, key, table.place());
  }

  /** KnownNames a row of a table. */
  record Row(MappingPlace place, String name, StateTable table, Field key, Bound bound)
      implements Rule {
    @Override
    public boolean run(MappingCall call) throws ScriptFailure {
      call.setRow(name, row(table, key.key(call), bound, call));
      return true;
    }
  }

  /** Sets fields of a row; an optional without a value removes one. */
  record Set(MappingPlace place, String row, Map<String, Field> fields) implements Rule {
    @Override
    public boolean run(MappingCall call) throws ScriptFailure {
      Map<Object, @Nullable Object> to = call.row(row);
      for (Map.Entry<String, Field> one : fields.entrySet()) {
        Optional<Object> value = one.getValue().present(call);
        if (value.isEmpty()) {
          call.writes().remove(to, one.getKey());
        } else if (!value.get().equals(to.get(one.getKey()))) {
          call.writes().put(to, one.getKey(), CelValues.plain(value.get()));
        }
      }
      return true;
    }
  }

  /** Removes fields from all rows of a table. */
  record Clear(MappingPlace place, StateTable table, List<String> fields) implements Rule {
    @Override
    @SuppressWarnings("unchecked") // rows are made by call.child
    public boolean run(MappingCall call) throws ScriptFailure {
      for (Object row : new LinkedHashMap<>(call.table(table)).values()) {
        call.spend(place);
        if (row instanceof Map<?, ?> map) {
          fields.forEach(field -> call.writes().remove((Map<Object, Object>) map, field));
        }
      }
      return true;
    }
  }

  /**
   * Leaves out the rest of its list unless a value is another than the last of its key.
   *
   * @param step null: any difference counts; else by how much a number must differ
   */
  record Changed(
      MappingPlace place,
      Field value,
      StateTable table,
      Field key,
      @Nullable Field step,
      Bound bound)
      implements Rule {
    @Override
    public boolean run(MappingCall call) throws ScriptFailure {
      Object now = value.present(call).orElse("");
      Map<Object, @Nullable Object> row = row(table, key.key(call), bound, call);
      boolean differs = !row.containsKey(LAST) || differs(row.get(LAST), now, call);
      if (differs) {
        call.writes().put(row, LAST, CelValues.plain(now));
      }
      return differs;
    }

    private boolean differs(@Nullable Object before, Object now, MappingCall call)
        throws ScriptFailure {
      boolean isSame = CelValues.shown(before).equals(now);
      if (isSame || step == null || !(before instanceof Number a && now instanceof Number b)) {
        return !isSame;
      }
      if (!(step.value(call) instanceof Number least)) {
        throw step.place().failure("'step' must be a number");
      }
      return Math.abs(a.doubleValue() - b.doubleValue()) >= least.doubleValue();
    }
  }
}
