package io.galop.config;

/** What a node runs. */
public enum Role {
  INGEST,
  ENRICH,
  PERSIST,
  BROADCAST;

  /** The word in configuration, logs and member attributes. */
  public String word() {
    return name().toLowerCase(java.util.Locale.ROOT);
  }
}
