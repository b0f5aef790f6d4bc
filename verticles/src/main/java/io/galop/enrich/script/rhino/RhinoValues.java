package io.galop.enrich.script.rhino;

import io.galop.enrich.script.PlainJson;
import io.galop.enrich.script.ScriptFailure;
import io.galop.enrich.script.ScriptOutputs;
import io.galop.enrich.script.ScriptRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.Callable;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.IteratorLikeIterable;
import org.mozilla.javascript.NativeArray;
import org.mozilla.javascript.NativeObject;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.Symbol;
import org.mozilla.javascript.SymbolKey;
import org.mozilla.javascript.Undefined;

/** Values of a script as plain ones of the host, while its context is entered. */
final class RhinoValues {
  private static final double TOO_LARGE_FOR_LONG = 0x1p63;

  private final Scriptable scope;
  private final int maxOutputs;
  private final int maxValues;
  private int values;
  private int depth;
  private String field = "";

  /**
   * Reads for one script.
   *
   * @param maxOutputs most elements of a list of records
   * @param maxValues most values in one record
   */
  RhinoValues(Scriptable scope, int maxOutputs, int maxValues) {
    this.scope = scope;
    this.maxOutputs = maxOutputs;
    this.maxValues = maxValues;
  }

  /**
   * What is stored when a script writes into its state: scalars and what the host had given become
   * the host's; objects of the script stay its own until the call ends.
   */
  static @Nullable Object stored(@Nullable Object value) {
    if (value instanceof CharSequence text) {
      return text.toString();
    } else if (value instanceof Number number) {
      return number(number);
    } else if (value instanceof StateView state) {
      return state.shown();
    }
    return value;
  }

  private static Number number(Number number) {
    if (number instanceof ExactWhole exact) {
      return exact.value();
    }
    if (number instanceof Double fraction) {
      double value = fraction;
      boolean isWhole = value == Math.rint(value) && Math.abs(value) < TOO_LARGE_FOR_LONG;
      return isWhole ? (Number) (long) value : fraction;
    }
    return number;
  }

  /** What a script returned: null, one record or a list of some. */
  @Nullable Object records(@Nullable Object returned) throws ScriptFailure {
    field = "";
    depth = 0;
    if (returned == null || Undefined.isUndefined(returned)) {
      return null;
    }
    if (returned instanceof NativeArray array) {
      ScriptOutputs.checkCount(array.getLength(), maxOutputs);
      List<@Nullable Object> records = new ArrayList<>();
      for (int i = 0; i < array.getLength(); i++) {
        records.add(record(array.get(i, array)));
      }
      return records;
    }
    return returned instanceof Scriptable object && isIterable(object)
        ? generated(object)
        : record(returned);
  }

  private static boolean isIterable(Scriptable object) {
    return !(object instanceof NativeObject)
        && ScriptableObject.getProperty(object, SymbolKey.ITERATOR) instanceof Callable;
  }

  private List<@Nullable Object> generated(Scriptable from) throws ScriptFailure {
    List<@Nullable Object> records = new ArrayList<>();
    for (Object one : elements(from)) {
      ScriptOutputs.checkCount(records.size() + 1L, maxOutputs);
      records.add(record(one));
    }
    return records;
  }

  private Iterable<Object> elements(Scriptable from) {
    Context cx = Context.getCurrentContext();
    return new IteratorLikeIterable(cx, scope, ScriptRuntime.callIterator(from, cx, scope));
  }

  private @Nullable Object record(@Nullable Object one) throws ScriptFailure {
    values = 0;
    return one instanceof RecordObject object ? passed(object.record()) : plain(one);
  }

  /** Its data is the script's own object, which may hold anything by now. */
  private ScriptRecord passed(ScriptRecord given) throws ScriptFailure {
    Map<String, @Nullable Object> data = fields((Scriptable) given.getData());
    return new ScriptRecord(given.getId(), given.getTopic(), given.getTimeUs(), data);
  }

  /** A value that was written into a state. */
  @Nullable Object stateValue(@Nullable Object stored) throws ScriptFailure {
    values = 0;
    depth = 0;
    field = "";
    return plain(stored);
  }

  private @Nullable Object plain(@Nullable Object value) throws ScriptFailure {
    if (++values > maxValues) {
      throw new ScriptFailure(
          "enrich returned data of more than %d values, maxOutputBytes is %d"
              .formatted(maxValues, maxValues));
    }
    if (value == null || Undefined.isUndefined(value)) {
      return null;
    } else if (value instanceof Boolean) {
      return value;
    }
    if (value instanceof Symbol) {
      throw refused("symbol");
    }
    @Nullable Object stored = stored(value);
    return stored instanceof Scriptable object ? container(object) : stored;
  }

  private Object container(Scriptable object) throws ScriptFailure {
    if (++depth > PlainJson.DEEPEST) {
      throw ScriptOutputs.tooDeep();
    }
    Object read;
    if (object instanceof NativeArray array) {
      read = list(array);
    } else if (object instanceof Callable || object instanceof RecordObject) {
      throw refused(object.getClassName());
    } else if (object.getClassName().equals("Date")) {
      read = ScriptableObject.callMethod(object, "toISOString", ScriptRuntime.emptyArgs).toString();
    } else {
      read = object.getClassName().equals("Map") ? entries(object) : fields(object);
    }
    depth--;
    return read;
  }

  private ScriptFailure refused(String type) {
    return field.isEmpty()
        ? ScriptOutputs.noRecord()
        : ScriptOutputs.unholdable(field, "a " + type);
  }

  private List<@Nullable Object> list(NativeArray array) throws ScriptFailure {
    long length = array.getLength();
    List<@Nullable Object> to = new ArrayList<>();
    for (int i = 0; i < length; i++) {
      @Nullable Object element = array.get(i, array);
      to.add(plain(element == Scriptable.NOT_FOUND ? null : element));
    }
    return to;
  }

  private Map<String, @Nullable Object> fields(Scriptable object) throws ScriptFailure {
    Map<String, @Nullable Object> to = new LinkedHashMap<>();
    for (Object id : object.getIds()) {
      @Nullable Object value =
          id instanceof Integer index ? object.get(index, object) : object.get((String) id, object);
      if (!Undefined.isUndefined(value)) {
        field = id.toString();
        to.put(field, plain(value));
      }
    }
    return to;
  }

  private Map<String, @Nullable Object> entries(Scriptable map) throws ScriptFailure {
    Map<String, @Nullable Object> to = new LinkedHashMap<>();
    for (Object entry : elements(map)) {
      NativeArray pair = (NativeArray) entry;
      field = ScriptRuntime.toString(pair.get(0, pair));
      to.put(field, plain(pair.get(1, pair)));
    }
    return to;
  }
}
