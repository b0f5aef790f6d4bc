package io.galop.expression;

/** An expression that does not compile, or has no value; has no stack trace. */
public final class ExpressionFailure extends Exception {
  private static final long serialVersionUID = 1L;

  private final String detail;

  /** A failure, told in a sentence that begins with the column where there is one. */
  ExpressionFailure(String detail) {
    super(detail, null, false, false);
    this.detail = detail;
  }

  /** What is wrong, in a sentence that begins with the column where there is one. */
  public String detail() {
    return detail;
  }
}
