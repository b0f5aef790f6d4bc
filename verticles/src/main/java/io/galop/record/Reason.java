package io.galop.record;

/** Why a record was refused. The words are part of the outside contract: they only grow. */
public enum Reason {
  /** The line is not what the door reads: not JSON, not an object, cut off, not UTF-8. */
  MALFORMED("malformed"),
  /** The topic breaks a rule of naming or is one that the configuration or Galop keeps back. */
  TOPIC_NOT_ALLOWED("topic_not_allowed"),
  /** The record's data is larger than the configured limit. */
  TOO_LARGE("too_large"),
  /** Objects and arrays are nested more deeply than the configured limit. */
  TOO_DEEP("too_deep"),
  /** The data has more fields than the configured limit. */
  TOO_MANY_FIELDS("too_many_fields"),
  /** The id is empty, too long, or holds '#', a control character or a noncharacter. */
  BAD_ID("bad_id"),
  /** The time is no number of microseconds since the epoch. */
  BAD_TIME("bad_time"),
  /** A field is there that the door does not know. */
  UNKNOWN_FIELD("unknown_field"),
  /** The disk quota is reached; the record may be sent again later. */
  OVER_QUOTA("over_quota"),
  /** The node cannot take records now; the record may be sent again later. */
  UNAVAILABLE("unavailable"),
  /** A script threw, ran too long or answered with something that is no record. */
  SCRIPT_FAILED("script_failed"),
  /** The data is not as the configured JSON Schema wants it. */
  SCHEMA_VIOLATED("schema_violated"),
  /** A look-up found nothing and the configuration says to reject. */
  LOOKUP_MISS("lookup_miss"),
  /** The store of a look-up did not answer in time and the configuration says to reject. */
  LOOKUP_UNAVAILABLE("lookup_unavailable"),
  /** A store of the cold tier does not take the record. */
  STORE_REFUSED("store_refused");

  private final String word;

  Reason(String word) {
    this.word = word;
  }

  /** The stable word. */
  public String word() {
    return word;
  }
}
