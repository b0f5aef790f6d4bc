package io.galop.broadcast.hub;

import io.galop.broadcast.ring.Entry;
import io.galop.json.JsonOmit;
import org.jspecify.annotations.Nullable;

/**
 * What a view leaves of a record: worked out once for each record, whatever the number of filters
 * and viewers. On a Hub's event loop.
 */
final class ViewText {
  private final JsonOmit omit;
  private @Nullable Entry latest;
  private byte[] text = {};

  /** How many groups use it. */
  private int groups;

  ViewText(JsonOmit omit) {
    this.omit = omit;
  }

  /** The record without the fields, as {@link Entry#remainder}. */
  byte[] of(Entry entry) {
    if (latest != entry) {
      text = entry.without(omit);
      latest = entry;
    }
    return text;
  }

  ViewText use() {
    groups++;
    return this;
  }

  /** One group uses it no longer; whether none does. */
  boolean letGo() {
    groups--;
    return groups == 0;
  }
}
