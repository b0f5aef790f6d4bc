package io.galop.persist.archive;

import io.galop.config.persist.ArchiveConfig;
import io.galop.persist.store.LogProgress;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * How far a Log is in the archive and which files hold it: what the store commits with each batch.
 * A file is open until it is full or old, then finished until it has its final name, then known no
 * more. For one thread.
 */
final class ArchiveState {
  private final LogProgress progress;

  /** By partition, the oldest first. */
  private final Map<String, ArchiveFile> open = new LinkedHashMap<>();

  /** By name; some of them may be in their place already. */
  private final Map<String, ArchiveFile> finished = new LinkedHashMap<>();

  /** How many files were begun. */
  private long begun;

  ArchiveState() {
    this(new LogProgress());
  }

  private ArchiveState(LogProgress progress) {
    this.progress = progress;
  }

  /** One that changes apart from this one. */
  ArchiveState copy() {
    return copy(progress.copy());
  }

  /** The same files for a Log that begins anew. */
  ArchiveState withoutProgress() {
    return copy(new LogProgress());
  }

  private ArchiveState copy(LogProgress of) {
    ArchiveState copy = new ArchiveState(of);
    copy.open.putAll(open);
    copy.finished.putAll(finished);
    copy.begun = begun;
    return copy;
  }

  LogProgress progress() {
    return progress;
  }

  Collection<ArchiveFile> open() {
    return List.copyOf(open.values());
  }

  Collection<ArchiveFile> finished() {
    return List.copyOf(finished.values());
  }

  /** The open file of a partition, or one that begins, which nobody has heard of yet. */
  ArchiveFile fileOf(String partition, String store, long log, long nowMs) {
    ArchiveFile known = open.get(partition);
    if (known != null) {
      return known;
    }
    begun++;
    String name = String.format(Locale.ROOT, "%s-%016x-%d-%d.ndjson.gz", store, log, nowMs, begun);
    return new ArchiveFile(partition, name, 0, nowMs);
  }

  void put(ArchiveFile file) {
    open.put(file.partition(), file);
  }

  /** An open file is not there any more, or not whole. */
  void forget(ArchiveFile file) {
    open.remove(file.partition());
  }

  /** A finished file is in its place. */
  void placed(ArchiveFile file) {
    finished.remove(file.name());
  }

  /** Finishes what is full or old, and the oldest of too many; whether that was any. */
  boolean finishDue(ArchiveConfig config, long nowMs) {
    int before = finished.size();
    long mostMs = TimeUnit.SECONDS.toMillis(config.maxFileSeconds());
    for (ArchiveFile file : open()) {
      boolean isTooMany = open.size() > config.maxOpenFiles();
      boolean isFull = file.bytes() >= config.maxFileBytes();
      boolean isOld = Math.abs(nowMs - file.openedMs()) >= mostMs; // also if the clock was set back
      if (isTooMany || isFull || isOld) {
        finish(file);
      }
    }
    return finished.size() > before;
  }

  void finish(ArchiveFile file) {
    open.remove(file.partition());
    finished.put(file.name(), file);
  }

  JsonObject json() {
    return progress
        .json()
        .put("begun", begun)
        .put("open", json(open()))
        .put("finished", json(finished()));
  }

  private static JsonArray json(Collection<ArchiveFile> files) {
    JsonArray array = new JsonArray();
    files.forEach(file -> array.add(file.json()));
    return array;
  }

  static ArchiveState of(JsonObject json) {
    ArchiveState state = new ArchiveState(LogProgress.of(json));
    state.begun = json.getLong("begun");
    files(json, "open").forEach(state::put);
    files(json, "finished").forEach(file -> state.finished.put(file.name(), file));
    return state;
  }

  private static List<ArchiveFile> files(JsonObject json, String key) {
    return json.getJsonArray(key).stream().map(one -> ArchiveFile.of((JsonObject) one)).toList();
  }
}
