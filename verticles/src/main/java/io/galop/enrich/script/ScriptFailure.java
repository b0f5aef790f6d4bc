package io.galop.enrich.script;

/** A script that could not be loaded, or a call of it that did not end with records. */
public final class ScriptFailure extends Exception {
  private static final long serialVersionUID = 1L;

  private final boolean byLimit;

  /**
   * A failure of the script's own making.
   *
   * @param detail one sentence, with the line where there is one
   */
  public ScriptFailure(String detail) {
    this(detail, false);
  }

  /**
   * A failure.
   *
   * @param detail one sentence, with the line where there is one
   * @param byLimit whether a limit ended the call
   */
  public ScriptFailure(String detail, boolean byLimit) {
    super(detail);
    this.byLimit = byLimit;
  }

  /** Whether a limit ended the call. */
  public boolean isByLimit() {
    return byLimit;
  }
}
