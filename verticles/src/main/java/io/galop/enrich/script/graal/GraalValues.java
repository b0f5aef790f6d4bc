package io.galop.enrich.script.graal;

import io.galop.enrich.script.PlainJson;
import io.galop.enrich.script.ScriptFailure;
import io.galop.enrich.script.ScriptOutputs;
import io.galop.enrich.script.ScriptRecord;
import io.galop.guest.GraalLanguage;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.ListIterator;
import java.util.Map;
import java.util.function.Consumer;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/** Values of a language of GraalVM as plain ones of the host. */
public final class GraalValues {
  private static final DateTimeFormatter INSTANT =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  private final boolean hasFields;
  private final int maxOutputs;
  private final int maxValues;
  private int values;
  private int depth;
  private boolean mixed;
  private String field = "";

  /**
   * Reads for one script.
   *
   * @param hasFields whether objects that are no maps are read as such
   * @param maxOutputs most elements of a list of records
   * @param maxValues most values in one record
   */
  GraalValues(boolean hasFields, int maxOutputs, int maxValues) {
    this.hasFields = hasFields;
    this.maxOutputs = maxOutputs;
    this.maxValues = maxValues;
  }

  /** The same as {@link #stored}, into a record's data. */
  public @Nullable Object intoData(Value value) {
    @Nullable Object stored = stored(value);
    mixed |= stored instanceof Value;
    return stored;
  }

  /**
   * What is stored when a script writes a value into a map or list of the host: scalars and what
   * the host had given become the host's; objects of the script stay its own until the call ends.
   */
  public static @Nullable Object stored(Value value) {
    if (value.isString()) {
      return value.asString();
    } else if (value.isNumber()) {
      return GraalLanguage.number(value);
    } else if (value.isBoolean()) {
      return value.asBoolean();
    } else if (value.isProxyObject()) {
      return shown(value.asProxyObject());
    }
    return value.isNull() && !isUndefined(value) ? null : value;
  }

  private static Object shown(Object proxy) {
    return proxy instanceof HostView view ? view.shown() : proxy;
  }

  /** JavaScript's undefined, which is in no JSON. */
  private static boolean isUndefined(Value value) {
    return value.isNull() && value.toString().equals("undefined");
  }

  /** A call begins: what was written into data before concerns no one. */
  void begin() {
    mixed = false;
  }

  /** What a script returned: null, one record or a list of some. */
  @Nullable Object records(Value returned) throws ScriptFailure {
    values = 0;
    depth = 0;
    field = "";
    if (returned.hasArrayElements()) {
      ScriptOutputs.checkCount(returned.getArraySize(), maxOutputs);
      List<@Nullable Object> records = new ArrayList<>();
      for (long i = 0; i < returned.getArraySize(); i++) {
        records.add(record(returned.getArrayElement(i)));
      }
      return records;
    }
    boolean isMap = returned.hasHashEntries() || returned.isProxyObject();
    return !isMap && (returned.isIterator() || returned.hasIterator() && !returned.isString())
        ? generated(returned.isIterator() ? returned : returned.getIterator())
        : record(returned);
  }

  private List<@Nullable Object> generated(Value from) throws ScriptFailure {
    List<@Nullable Object> records = new ArrayList<>();
    while (from.hasIteratorNextElement()) {
      ScriptOutputs.checkCount(records.size() + 1L, maxOutputs);
      records.add(record(from.getIteratorNextElement()));
    }
    return records;
  }

  private @Nullable Object record(Value one) throws ScriptFailure {
    values = 0;
    return plain(one);
  }

  /** A value that was written into a state. */
  @Nullable Object stateValue(@Nullable Object stored) throws ScriptFailure {
    values = 0;
    depth = 0;
    return stored instanceof Value value ? plain(value) : stored;
  }

  private @Nullable Object plain(Value value) throws ScriptFailure {
    if (++values > maxValues) {
      throw new ScriptFailure(
          "enrich returned data of more than "
              + maxValues
              + " values, maxOutputBytes is "
              + maxValues);
    }
    if (value.isString() || value.isNumber() || value.isBoolean() || value.isProxyObject()) {
      return own(stored(value));
    } else if (value.isNull()) {
      return null;
    } else if (value.isInstant()) {
      return INSTANT.format(value.asInstant());
    }
    return container(value);
  }

  private Object container(Value value) throws ScriptFailure {
    if (++depth > PlainJson.DEEPEST) {
      throw ScriptOutputs.tooDeep();
    }
    Object read;
    if (value.hasHashEntries()) {
      read = hash(value);
    } else if (value.hasArrayElements()) {
      read = list(value);
    } else if (hasFields && value.hasMembers() && !value.canExecute()) {
      read = fields(value);
    } else {
      throw refused(value);
    }
    depth--;
    return read;
  }

  private ScriptFailure refused(Value value) {
    Value type = value.getMetaObject();
    String what = type == null ? "something" : "a " + type.getMetaSimpleName();
    return field.isEmpty() ? ScriptOutputs.noRecord() : ScriptOutputs.unholdable(field, what);
  }

  private Map<String, @Nullable Object> fields(Value object) throws ScriptFailure {
    Map<String, @Nullable Object> to = new LinkedHashMap<>();
    for (String key : object.getMemberKeys()) {
      Value value = object.getMember(key);
      if (!isUndefined(value)) {
        field = key;
        to.put(key, plain(value));
      }
    }
    return to;
  }

  private Map<String, @Nullable Object> hash(Value map) throws ScriptFailure {
    Map<String, @Nullable Object> to = new LinkedHashMap<>();
    Value entries = map.getHashEntriesIterator();
    while (entries.hasIteratorNextElement()) {
      Value entry = entries.getIteratorNextElement();
      field = key(entry.getArrayElement(0));
      to.put(field, plain(entry.getArrayElement(1)));
    }
    return to;
  }

  /** A key of a map as a text. */
  public static String key(Value key) {
    return key.isString() ? key.asString() : key.toString();
  }

  private List<@Nullable Object> list(Value array) throws ScriptFailure {
    List<@Nullable Object> to = new ArrayList<>();
    long size = array.getArraySize();
    for (long i = 0; i < size; i++) {
      to.add(plain(array.getArrayElement(i)));
    }
    return to;
  }

  /** Replaces, in what the host had given, the objects of the script that were put into it. */
  private @Nullable Object own(@Nullable Object given) throws ScriptFailure {
    if (mixed && given instanceof ScriptRecord record) {
      unmix(record.getData());
    } else if (mixed && (given instanceof Map<?, ?> || given instanceof List<?>)) {
      unmix(given);
    }
    return given;
  }

  @SuppressWarnings("unchecked")
  private void unmix(@Nullable Object container) throws ScriptFailure {
    if (++depth > PlainJson.DEEPEST) {
      throw ScriptOutputs.tooDeep();
    }
    if (container instanceof Map<?, ?> map) {
      ((Map<Object, @Nullable Object>) map).values().removeIf(GraalValues::isUndefinedObject);
      for (Map.Entry<Object, @Nullable Object> entry :
          ((Map<Object, @Nullable Object>) map).entrySet()) {
        field = String.valueOf(entry.getKey());
        unmix(entry.getValue(), entry::setValue);
      }
    } else if (container instanceof List<?> list) {
      for (ListIterator<Object> at = ((List<@Nullable Object>) list).listIterator();
          at.hasNext(); ) {
        unmix(at.next(), at::set);
      }
    }
    depth--;
  }

  private void unmix(@Nullable Object value, Consumer<@Nullable Object> set) throws ScriptFailure {
    if (value instanceof Value guest) {
      set.accept(plain(guest));
    } else {
      unmix(value);
    }
  }

  private static boolean isUndefinedObject(@Nullable Object value) {
    return value instanceof Value guest && isUndefined(guest);
  }
}
