package io.galop.cli.replay;

import java.util.ArrayList;
import java.util.List;

/**
 * Splits one record of CSV as in RFC 4180: fields divided by commas, those in double quotes may
 * hold commas, line ends and, doubled, double quotes.
 */
final class CsvRow {
  private final String text;
  private final List<String> fields = new ArrayList<>();
  private int at;

  private CsvRow(String text) {
    this.text = text;
  }

  /**
   * The fields of a record.
   *
   * @throws IllegalArgumentException saying in words which rule is broken
   */
  static List<String> split(String text) {
    CsvRow row = new CsvRow(text);
    row.field();
    while (row.at < text.length()) {
      row.at++;
      row.field();
    }
    return row.fields;
  }

  /** Whether every quoted field has its closing quote; if not, the record goes on in a line. */
  static boolean isClosed(String text) {
    return text.chars().filter(c -> c == '"').count() % 2 == 0;
  }

  private void field() {
    boolean quoted = at < text.length() && text.charAt(at) == '"';
    fields.add(quoted ? quotedField() : plainField());
  }

  private String plainField() {
    int comma = text.indexOf(',', at);
    int end = comma < 0 ? text.length() : comma;
    String value = text.substring(at, end);
    if (value.indexOf('"') >= 0) {
      throw wrong("a double quote inside a field that does not begin with one");
    }
    at = end;
    return value;
  }

  private String quotedField() {
    StringBuilder value = new StringBuilder();
    int from = at + 1;
    int quote = text.indexOf('"', from);
    while (quote >= 0 && quote + 1 < text.length() && text.charAt(quote + 1) == '"') {
      value.append(text, from, quote + 1);
      from = quote + 2;
      quote = text.indexOf('"', from);
    }
    if (quote < 0) {
      throw wrong("no closing double quote");
    }
    value.append(text, from, quote);
    at = quote + 1;
    if (at < text.length() && text.charAt(at) != ',') {
      throw wrong("something between a closing double quote and the comma");
    }
    return value.toString();
  }

  private IllegalArgumentException wrong(String what) {
    return new IllegalArgumentException("has " + what + " in field " + (fields.size() + 1));
  }
}
