package io.galop.enrich;

import io.galop.enrich.Csv.BrokenTable;
import io.galop.enrich.Csv.Row;
import io.galop.json.JsonSplice;
import io.galop.json.JsonString;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A table held in memory: key → the row's other columns, ready to be spliced into a record. A cell
 * that is a plain decimal number of at most 15 digits becomes a number, {@code true} and {@code
 * false} become booleans, an empty cell is left out, all else is text; so {@code 007} stays text.
 */
final class ReferenceTable {
  private final Map<String, byte[]> fields;

  private ReferenceTable(Map<String, byte[]> fields) {
    this.fields = fields;
  }

  /**
   * Reads a table.
   *
   * @param keyColumn empty for the first
   * @param into the field that the columns are spliced in as
   * @throws BrokenTable naming line and rule
   */
  static ReferenceTable parse(String csv, String keyColumn, String into, int maxRows) {
    List<Row> rows = Csv.read(csv);
    if (rows.isEmpty()) {
      throw new BrokenTable(1, "must name the columns, the file is empty");
    }
    if (rows.size() - 1 > maxRows) {
      throw new BrokenTable(rows.get(maxRows + 1).line(), "is beyond maxRows, " + maxRows);
    }
    List<String> columns = rows.get(0).cells();
    int key = keyColumn.isEmpty() ? 0 : columns.indexOf(keyColumn);
    if (key < 0) {
      throw new BrokenTable(1, "has no column '" + keyColumn + "', it names " + columns);
    }
    for (String column : columns) {
      if (!column.isEmpty() && columns.indexOf(column) != columns.lastIndexOf(column)) {
        throw new BrokenTable(1, "has the column '" + column + "' a second time");
      }
    }
    return new ReferenceTable(fields(rows, key, into));
  }

  private static Map<String, byte[]> fields(List<Row> rows, int key, String into) {
    Map<String, byte[]> fields = new HashMap<>(rows.size() * 2);
    String head = JsonString.quoted(into) + ":{";
    List<String> columns = rows.get(0).cells();
    for (Row row : rows.subList(1, rows.size())) {
      String found = row.cells().get(key);
      byte[] field = JsonSplice.utf8(head + members(columns, row.cells(), key) + '}');
      if (fields.put(found, field) != null) {
        throw new BrokenTable(row.line(), "the key '" + found + "' stands there a second time");
      }
    }
    return fields;
  }

  private static String members(List<String> columns, List<String> cells, int key) {
    StringBuilder members = new StringBuilder();
    for (int i = 0; i < cells.size(); i++) {
      if (i != key && !cells.get(i).isEmpty()) {
        members.append(members.length() == 0 ? "" : ",");
        members
            .append(JsonString.quoted(columns.get(i)))
            .append(':')
            .append(JsonSplice.ofCell(cells.get(i)));
      }
    }
    return members.toString();
  }

  int size() {
    return fields.size();
  }

  /** The field to splice in, if the key is there. */
  Optional<byte[]> field(String key) {
    return Optional.ofNullable(fields.get(key));
  }
}
