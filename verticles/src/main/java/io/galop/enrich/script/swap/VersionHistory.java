package io.galop.enrich.script.swap;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Which versions of a step were live, and when, for those who ask about a record of before: the
 * last so many. Written when a version changes, so records pay nothing. From any thread.
 */
final class VersionHistory {
  static final int MOST = 32;
  private final Deque<Change> changes = new ArrayDeque<>();

  /** A change: the event loops take it one after the other. */
  static final class Change {
    private final String version;
    private final long begunMs;

    /** When the last event loop had it; 0 as long as some may not have it. */
    private long settledMs;

    private Change(String version, long begunMs) {
      this.version = version;
      this.begunMs = begunMs;
    }
  }

  /** With the version that the node starts with, of which no other was before. */
  VersionHistory(String version, long nowMs) {
    settled(begin(version, nowMs), nowMs);
  }

  /** A version is about to be taken by the first event loop. */
  synchronized Change begin(String version, long nowMs) {
    Change change = new Change(version, nowMs);
    changes.addLast(change);
    if (changes.size() > MOST) {
      changes.removeFirst();
    }
    return change;
  }

  /** The last event loop has it. */
  synchronized void settled(Change change, long nowMs) {
    change.settledMs = nowMs;
  }

  /** The oldest first: {@code [{"version":…,"begunMs":…,"settledMs":…},…]}. */
  synchronized JsonArray json() {
    JsonArray all = new JsonArray();
    changes.forEach(
        each ->
            all.add(
                new JsonObject()
                    .put("version", each.version)
                    .put("begunMs", each.begunMs)
                    .put("settledMs", each.settledMs)));
    return all;
  }
}
