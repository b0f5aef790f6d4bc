package io.galop.enrich.script.mapping;

import io.galop.enrich.script.ScriptFailure;
import io.galop.expression.ExpressionFailure;
import io.galop.expression.Expressions;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;

/** The names that expressions of a list of rules know; lists within it have their own besides. */
final class KnownNames {
  private static final Set<String> GIVEN = Set.of("topic", "id", "time", "data", "settings", "row");
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z_0-9]{0,63}");

  private final Set<String> values;
  private final Set<String> rows;
  private Expressions expressions;

  private KnownNames(Set<String> values, Set<String> rows, Expressions expressions) {
    this.values = new HashSet<>(values);
    this.rows = new HashSet<>(rows);
    this.expressions = expressions;
  }

  static KnownNames first() {
    return new KnownNames(GIVEN, Set.of(), Expressions.ofRecords().with("settings"));
  }

  /** Those of what is evaluated before there is a record. */
  static KnownNames settings() {
    return new KnownNames(GIVEN, Set.of(), Expressions.ofNothing().with("settings"));
  }

  /** Those of a list within this one. */
  KnownNames inner() {
    return new KnownNames(values, rows, expressions);
  }

  /** Those that also know {@code row}, for a rule that looks for a row. */
  KnownNames withRow() {
    return new KnownNames(values, rows, expressions.with("row"));
  }

  void add(String name, MappingPlace place) throws ScriptFailure {
    if (!NAME.matcher(name).matches()) {
      throw place.failure("'" + name + "' is no name: letters, digits and '_'");
    }
    if (!values.add(name)) {
      throw place.failure("the name '" + name + "' stands for something else already");
    }
    expressions = expressions.with(name);
  }

  void addRow(String name, MappingPlace place) throws ScriptFailure {
    add(name, place);
    rows.add(name);
  }

  String row(String name, MappingPlace place) throws ScriptFailure {
    if (rows.contains(name)) {
      return name;
    }
    throw place.failure("there is no row '" + name + "'; a rule 'row' before this one names it");
  }

  /** {@code table} of the state, or {@code row.table}. */
  StateTable table(String text, MappingPlace place) throws ScriptFailure {
    int dot = text.indexOf('.');
    String row = dot < 0 ? "" : row(text.substring(0, dot), place);
    String name = text.substring(dot + 1);
    if (!NAME.matcher(name).matches()) {
      throw place.failure("'" + text + "' is neither a table nor row.table");
    }
    return new StateTable(row, name, place);
  }

  Field field(String text, MappingPlace place) throws ScriptFailure {
    try {
      return new Field(expressions.compile(text), place);
    } catch (ExpressionFailure e) {
      throw place.failure(e.detail());
    }
  }
}
