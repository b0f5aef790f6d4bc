package io.galop.loadtest.queries;

import java.util.List;

/** Where an answer comes from; the label is in the table. */
public enum AnswerSource {
  RAM("RAM", false),
  RAM_EACH("RAM, each its own question", false),
  EMBEDDED("embedded store", true),
  MARIADB("MariaDB", true),
  MONGODB("MongoDB's protocol", true),
  REDIS("Redis", true),
  NGINX("nginx, the same bytes as a file", false);

  /** Nothing stays in memory: neither records nor whole answers. */
  private static final List<String> COLD =
      List.of(
          "persist.ram.maxAgeMs=1000",
          "persist.history.cacheBytes=0",
          "persist.history.storeTimeoutMs=60000");

  private final String label;
  private final boolean isCold;

  AnswerSource(String label, boolean isCold) {
    this.label = label;
    this.isCold = isCold;
  }

  String label() {
    return label;
  }

  /** Of Galop, beside those of the store. */
  List<String> settings() {
    return isCold ? COLD : List.of();
  }

  /** Whether Galop is to wait until its RAM tier is empty, and the store is asked. */
  boolean isCold() {
    return isCold;
  }

  boolean isGalop() {
    return this != NGINX;
  }
}
