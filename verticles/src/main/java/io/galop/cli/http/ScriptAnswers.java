package io.galop.cli.http;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/** Reads and lays out what a node tells of its scripts. */
final class ScriptAnswers {
  private static final JsonObject NONE = new JsonObject();

  private ScriptAnswers() {}

  /** The scripts in an answer, which is closed. */
  static List<JsonObject> read(InputStream answer, ManagementPort from) throws IOException {
    try (answer) {
      String text = new String(answer.readAllBytes(), StandardCharsets.UTF_8);
      JsonArray scripts = new JsonObject(text).getJsonArray("scripts");
      if (scripts != null) {
        return scripts.stream().map(JsonObject.class::cast).toList();
      }
    } catch (DecodeException e) {
      // What answers is no node; said below.
    }
    throw from.isAnother();
  }

  /** The newest version that came; empty if none did. */
  static JsonObject candidate(JsonObject script) {
    return script.getJsonObject("candidate", NONE);
  }

  static boolean isDecided(JsonObject candidate) {
    return candidate.containsKey("decidedMs");
  }

  static String phase(JsonObject candidate) {
    return candidate.getString("phase", "").replace('_', ' ');
  }

  /** A script in some lines. */
  static String shown(JsonObject script) {
    StringBuilder text = new StringBuilder();
    text.append(script.getString("file")).append(": version ").append(script.getString("version"));
    text.append(" on ").append(script.getLong("eventLoops")).append(" event loops");
    if (script.getLong("suspended") > 0) {
      text.append(", SUSPENDED on ").append(script.getLong("suspended"));
    }
    if (script.getBoolean("fileDiffers")) {
      text.append("; the file holds another version");
    }
    JsonObject candidate = candidate(script);
    if (!candidate.isEmpty()) {
      text.append("\n  ").append(shownCandidate(candidate));
    }
    return text.toString();
  }

  /** A version that has come, in some lines. */
  static String shownCandidate(JsonObject candidate) {
    String reason = candidate.getString("reason");
    StringBuilder text = new StringBuilder("version ");
    text.append(candidate.getString("version")).append(": ").append(phase(candidate));
    text.append(reason.isEmpty() ? "" : ": " + reason);
    if (candidate.getLong("compared") > 0) {
      text.append("\n  ").append(figures(candidate));
    }
    for (Object difference : candidate.getJsonArray("differences")) {
      text.append("\n    ").append(difference);
    }
    return text.toString();
  }

  private static String figures(JsonObject candidate) {
    JsonObject live = candidate.getJsonObject("live");
    JsonObject other = candidate.getJsonObject("candidate");
    return String.format(
        Locale.ROOT,
        "compared %,d, not compared %,d, differing %,d; failures %,d (in use: %,d); %.1f us a record"
            + " (%.1f); %,d bytes allocated (%,d)",
        candidate.getLong("compared"),
        candidate.getLong("notCompared"),
        candidate.getLong("differing"),
        other.getLong("failures"),
        live.getLong("failures"),
        other.getDouble("costUs"),
        live.getDouble("costUs"),
        other.getLong("allocatedBytes"),
        live.getLong("allocatedBytes"));
  }
}
