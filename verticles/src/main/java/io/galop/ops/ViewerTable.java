package io.galop.ops;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Locale;

/** The slowest viewers as a table of the console. */
final class ViewerTable {
  private static final String[] COLUMNS = {
    "published", "sent", "merged", "conflated", "dropped", "waiting", "waitingBytes"
  };

  private ViewerTable() {}

  /** A table, or nothing where no viewer is connected. */
  static String of(JsonObject report) {
    JsonArray viewers = report.getJsonArray("viewers", new JsonArray());
    if (viewers.isEmpty()) {
      return "";
    }
    StringBuilder table = new StringBuilder("<h2>Slowest viewers</h2><table><tr><th>viewer</th>");
    for (String column : COLUMNS) {
      table.append("<th" + Console.NUMBER + ">").append(column).append("</th>");
    }
    table.append("</tr>");
    for (int i = 0; i < viewers.size(); i++) {
      row(table, viewers.getJsonObject(i));
    }
    return table.append("</table>").toString();
  }

  private static void row(StringBuilder table, JsonObject viewer) {
    String filters =
        String.join(" ", viewer.getJsonArray("filters").stream().map(String::valueOf).toList());
    table
        .append("<tr><td>")
        .append(Console.escape(viewer.getString("address") + " " + filters))
        .append("</td>");
    for (String column : COLUMNS) {
      String value = String.format(Locale.ROOT, "%,d", viewer.getLong(column));
      table.append("<td" + Console.NUMBER + ">").append(value).append("</td>");
    }
    table.append("</tr>");
  }
}
