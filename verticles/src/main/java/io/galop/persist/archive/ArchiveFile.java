package io.galop.persist.archive;

import io.vertx.core.json.JsonObject;

/**
 * A file of the archive until it has its final name.
 *
 * @param partition the directory it goes to, see {@link Partition}
 * @param name its name there
 * @param bytes of it that count: what lies behind was never committed
 * @param openedMs when it was begun, milliseconds since 1970
 */
record ArchiveFile(String partition, String name, long bytes, long openedMs) {
  ArchiveFile grown(int more) {
    return new ArchiveFile(partition, name, bytes + more, openedMs);
  }

  JsonObject json() {
    return new JsonObject()
        .put("partition", partition)
        .put("name", name)
        .put("bytes", bytes)
        .put("openedMs", openedMs);
  }

  static ArchiveFile of(JsonObject json) {
    return new ArchiveFile(
        json.getString("partition"),
        json.getString("name"),
        json.getLong("bytes"),
        json.getLong("openedMs"));
  }
}
