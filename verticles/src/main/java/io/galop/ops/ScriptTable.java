package io.galop.ops;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** The scripts of a node, each in a sentence, and as a table of the console. */
final class ScriptTable {
  private ScriptTable() {}

  /** A table, or nothing where the node has no script. */
  static String of(JsonArray scripts) {
    if (scripts.isEmpty()) {
      return "";
    }
    StringBuilder table =
        new StringBuilder("<h2>Scripts</h2><table><tr><th>script</th><th>how it is</th></tr>");
    for (int i = 0; i < scripts.size(); i++) {
      JsonObject script = scripts.getJsonObject(i);
      table
          .append("<tr><td>")
          .append(Console.escape(script.getString("file") + " " + script.getString("version")))
          .append("</td><td>")
          .append(Console.escape(how(script)))
          .append("</td></tr>");
    }
    return table.append("</table>").toString();
  }

  private static String how(JsonObject script) {
    long suspended = script.getLong("suspended");
    String state =
        suspended > 0
            ? "suspended on %d of %d event loops".formatted(suspended, script.getLong("eventLoops"))
            : "in use";
    JsonObject candidate = script.getJsonObject("candidate");
    if (candidate == null) {
      return state;
    }
    String reason = candidate.getString("reason");
    return "%s; version %s: %s, compared %d, differing %d%s"
        .formatted(
            state,
            candidate.getString("version"),
            candidate.getString("phase").replace('_', ' '),
            candidate.getLong("compared"),
            candidate.getLong("differing"),
            reason.isEmpty() ? "" : "; " + reason);
  }
}
