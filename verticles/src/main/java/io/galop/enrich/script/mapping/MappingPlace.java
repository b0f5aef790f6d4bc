package io.galop.enrich.script.mapping;

import io.galop.enrich.script.ScriptFailure;

/**
 * Where in a mapping something stands.
 *
 * @param file its name
 * @param line from 1
 * @param field such as {@code rules[3].emit.data.odds}
 */
record MappingPlace(String file, int line, String field) {
  ScriptFailure failure(String detail) {
    return new ScriptFailure(at(detail));
  }

  /** A failure because a limit ended the call. */
  ScriptFailure limit(String detail) {
    return new ScriptFailure(at(detail), true);
  }

  private String at(String detail) {
    String where = field.isEmpty() ? "" : ", " + field;
    return "%s (%s, line %d%s)".formatted(detail, file, line, where);
  }
}
