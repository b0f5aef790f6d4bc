package io.galop.expression;

import io.galop.record.Record;

/**
 * Says of a record whether an expression over its {@code topic}, {@code id}, {@code time} and
 * {@code data} is true. Immutable, for any thread; equal to another of the same text.
 */
public final class RecordFilter {
  private final String text;
  private final Expression expression;

  private RecordFilter(String text, Expression expression) {
    this.text = text;
    this.expression = expression;
  }

  /**
   * Compiles a filter; takes milliseconds.
   *
   * @throws ExpressionFailure saying at which column what is wrong
   */
  public static RecordFilter of(String expression) throws ExpressionFailure {
    return new RecordFilter(expression, Expressions.ofRecords().compileCondition(expression));
  }

  /**
   * The same for an expression of somebody who is not trusted: see {@link
   * Expressions#compileUntrusted}.
   *
   * @throws ExpressionFailure saying at which column what is wrong
   */
  public static RecordFilter ofStranger(String expression) throws ExpressionFailure {
    return new RecordFilter(expression, Expressions.compileUntrusted(expression));
  }

  /**
   * Whether the expression is true of a record. Parses all of its data, so ask once for a record
   * and not once for a viewer.
   *
   * @throws ExpressionFailure if it is neither true nor false, such as where a field is missing
   */
  public boolean matches(Record record) throws ExpressionFailure {
    return matches(RecordValues.of(record));
  }

  /**
   * The same of a record that was read.
   *
   * @throws ExpressionFailure if it is neither true nor false, such as where a field is missing
   */
  public boolean matches(RecordValues record) throws ExpressionFailure {
    return expression.isTrue(record::find);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RecordFilter filter && filter.text.equals(text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
