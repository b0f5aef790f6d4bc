package io.galop.broadcast.hub;

import io.galop.broadcast.ring.Entry;
import io.galop.expression.ExpressionFailure;
import io.galop.expression.RecordValues;
import io.galop.json.JsonOmit;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What conditions see of a record: read once, whatever their number. On a Hub's event loop. */
final class ConditionInput {
  /** Null where they see all of it. */
  private final @Nullable ViewText visible;

  private @Nullable Entry latest;
  private @Nullable RecordValues values;

  /**
   * @param omit fields of data that they do not see
   */
  ConditionInput(Set<String> omit) {
    this.visible = omit.isEmpty() ? null : new ViewText(new JsonOmit(omit));
  }

  RecordValues values(Entry entry) throws ExpressionFailure {
    RecordValues read = values;
    if (read == null || latest != entry) {
      byte[] text = visible == null ? entry.remainder() : visible.of(entry);
      read = RecordValues.ofBody(entry.topic(), text);
      values = read;
      latest = entry;
    }
    return read;
  }
}
