package io.galop.extend.python;

import io.galop.extend.GalopApi;
import io.galop.extend.GalopApi.Ongoing;
import io.galop.extend.GuestProgram;
import io.galop.guest.GraalLanguage;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** What the class Galop of {@link PythonProgram} calls. */
public final class PythonHost {
  private final GalopApi galop;

  PythonHost(GalopApi galop) {
    this.galop = galop;
  }

  public Future<Void> publish(
      String topic, Value data, @Nullable String id, @Nullable Long timeUs) {
    if (!data.hasHashEntries()) {
      throw new IllegalArgumentException("data must be a dict");
    }
    return galop.publish(topic, map(data), id, timeUs);
  }

  public Ongoing consume(String filter, Value handler, Value onMissed) {
    return galop.consume(
        filter,
        record ->
            GuestProgram.hostFuture(
                handler.execute(
                    record.getId(), record.getTopic(), record.getTimeUs(), record.getData())),
        why -> onMissed.executeVoid(why));
  }

  public Ongoing every(long ms, Value handler) {
    return galop.every(ms, () -> GuestProgram.hostFuture(handler.execute()));
  }

  public Map<String, Object> settings() {
    return galop.getSettings();
  }

  public int instance() {
    return galop.getInstance();
  }

  public int instances() {
    return galop.getInstances();
  }

  public Logger log() {
    return galop.getLog();
  }

  private static Map<String, @Nullable Object> map(Value dict) {
    Map<String, @Nullable Object> map = new LinkedHashMap<>();
    for (Value keys = dict.getHashKeysIterator(); keys.hasIteratorNextElement(); ) {
      Value key = keys.getIteratorNextElement();
      map.put(key.isString() ? key.asString() : key.toString(), plain(dict.getHashValue(key)));
    }
    return map;
  }

  private static @Nullable Object plain(Value value) {
    if (value.isNull()) {
      return null;
    }
    if (value.isBoolean()) {
      return value.asBoolean();
    }
    if (value.isString()) {
      return value.asString();
    }
    if (value.isNumber()) {
      return GraalLanguage.number(value);
    }
    if (value.hasHashEntries()) {
      return map(value);
    }
    if (value.hasArrayElements()) {
      List<@Nullable Object> list = new ArrayList<>();
      for (long i = 0; i < value.getArraySize(); i++) {
        list.add(plain(value.getArrayElement(i)));
      }
      return list;
    }
    throw new IllegalArgumentException(
        "data are str, int, float, bool, None, list and dict, not " + value.getMetaObject());
  }
}
