package io.galop.json;

/** What JSON cannot hold, or may not; has no stack trace. */
public final class NotJson extends Exception {
  private static final long serialVersionUID = 1L;

  /** What is wrong. */
  public enum Why {
    /** A value that is no text, number, boolean, null, list or map, or is not finite. */
    VALUE,
    /** More levels than may be, or a map or list that holds itself. */
    DEPTH,
    /** More bytes than may be. */
    LENGTH
  }

  private final Why why;
  private final String what;
  private String path = "";
  private String field = "";

  NotJson(Why why, String what) {
    super(what, null, false, false);
    this.why = why;
    this.what = what;
  }

  /** What is wrong. */
  public Why why() {
    return why;
  }

  /** The value as it would be called in a sentence, such as NaN; the depth; the length in bytes. */
  public String what() {
    return what;
  }

  /** Where a value stands, such as {@code .a[0].b}; empty for depth and length. */
  public String path() {
    return path;
  }

  /** The name that is nearest to a value; empty if it has none. */
  public String field() {
    return field;
  }

  NotJson under(String name) {
    field = field.isEmpty() ? name : field;
    return behind('.' + name);
  }

  NotJson at(int index) {
    return behind("[" + index + ']');
  }

  private NotJson behind(String step) {
    path = why == Why.VALUE ? step + path : path;
    return this;
  }
}
