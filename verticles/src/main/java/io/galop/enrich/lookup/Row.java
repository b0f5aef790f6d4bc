package io.galop.enrich.lookup;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** What is known of a key. */
public final class Row {
  private static final byte[] NOTHING = {};

  /** The store did not say in time. */
  static final Row UNAVAILABLE = new Row(NOTHING, 0);

  private final byte[] field;
  private final long readNs;

  private Row(byte[] field, long readNs) {
    this.field = field;
    this.readNs = readNs;
  }

  /**
   * What the store said.
   *
   * @param head the quoted name of the field to splice in, and a colon
   * @param object the JSON object; null: there is no row
   */
  static Row read(String head, @Nullable String object, long nowNs) {
    boolean found = object != null;
    return new Row(found ? (head + object).getBytes(StandardCharsets.UTF_8) : NOTHING, nowNs);
  }

  /** Name and value, to be spliced into an object. */
  public byte[] field() {
    return field;
  }

  /** Whether the store has a row under the key. */
  public boolean isFound() {
    return field.length > 0;
  }

  /** Whether nobody knows if there is one. */
  public boolean isUnavailable() {
    return this == UNAVAILABLE;
  }

  long ageNs(long nowNs) {
    return nowNs - readNs;
  }

  int bytes() {
    return field.length;
  }
}
