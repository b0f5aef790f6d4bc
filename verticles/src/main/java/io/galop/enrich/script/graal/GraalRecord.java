package io.galop.enrich.script.graal;

import io.galop.enrich.script.ScriptRecord;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyArray;
import org.graalvm.polyglot.proxy.ProxyObject;
import org.jspecify.annotations.Nullable;

/**
 * A record as languages of GraalVM see it: an object whose members cannot be set.
 *
 * @param record what is shown
 */
public record GraalRecord(ScriptRecord record) implements ProxyObject, HostView {
  private static final ProxyArray MEMBERS = ProxyArray.fromArray("id", "topic", "timeUs", "data");

  @Override
  public Object shown() {
    return record;
  }

  @Override
  public @Nullable Object getMember(String key) {
    return switch (key) {
      case "id" -> record.getId();
      case "topic" -> record.getTopic();
      case "timeUs" -> record.getTimeUs();
      case "data" -> record.getData();
      default -> null;
    };
  }

  @Override
  public Object getMemberKeys() {
    return MEMBERS;
  }

  @Override
  public boolean hasMember(String key) {
    return switch (key) {
      case "id", "topic", "timeUs", "data" -> true;
      default -> false;
    };
  }

  @Override
  public void putMember(String key, Value value) {
    throw new UnsupportedOperationException("a record's " + key + " cannot be set");
  }
}
