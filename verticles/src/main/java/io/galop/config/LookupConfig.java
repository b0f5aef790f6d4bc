package io.galop.config;

import java.util.List;

/** Adds the row of a reference table that a key of the record selects. */
@Brick("lookup")
@Doc(
    "Adds the row of a reference table, in a file or a store, that a field or level of the topic"
        + " selects.")
public record LookupConfig(
    @Doc("Topic filters of the records that this step is for; the others pass it by.")
        @Default("[\"#\"]")
        List<String> topics,
    @Doc(
            "The CSV file (RFC 4180, UTF-8, the first line names the columns), beside the"
                + " configuration or absolute; in a store the table, the collection, or what the"
                + " keys of Redis begin with.")
        String table,
    @Doc(
            "The column that holds the key; empty: the first of a file, id of a table, _id of a"
                + " collection. Unused with Redis.")
        @Default("")
        String keyColumn,
    @Doc("The field of data that holds the key, a text or a number.") @Default("") String field,
    @Doc("The level of the topic that is the key, from 1; 0: the key is a field.")
        @Default("0")
        @Range(min = 0, max = 64)
        int topicLevel,
    @Doc("The field of data that the other columns of the row are added under.") @Default("ref")
        String into,
    @Doc("What becomes of a record whose key is absent or not in the table.") @Default("pass")
        OnMiss onMiss,
    @Doc(
            "How often the file is looked at for a change, or how old a store's row may be before"
                + " it is asked for again while it stays in use, in milliseconds; 0 never.")
        @Default("5000")
        @Range(min = 0, max = 86_400_000)
        long refreshMs,
    @Doc(
            "The most rows; a larger file is refused, of a store those not used for longest leave"
                + " memory.")
        @Default("1000000")
        @Range(min = 1, max = 50_000_000)
        int maxRows,
    @Doc("Where the rows are.") @Default("file") LookupSourceConfig source,
    @Doc(
            "What becomes of a record whose row a store did not give in time. With a file this"
                + " never happens.")
        @Default("stale")
        OnUnavailable onUnavailable,
    @Doc("How the rows of a store are kept and waited for.") LookupCacheConfig cache)
    implements EnricherConfig {

  /** What becomes of a record whose key is absent or not in the table. */
  public enum OnMiss {
    /** It goes on without the columns. */
    PASS,
    /** It becomes a dead letter with the reason lookup_miss. */
    REJECT,
    /** It is dropped. */
    DROP
  }

  /** What becomes of a record whose row the store did not give in time. */
  public enum OnUnavailable {
    /**
     * The row as it was read last is added, however old; where there is none it goes on without.
     */
    STALE,
    /** It goes on without the columns. */
    PASS,
    /** It becomes a dead letter with the reason lookup_unavailable. */
    REJECT
  }

  /** Whether the rows are in a file that is held whole. */
  public boolean isFile() {
    return source instanceof LookupFileConfig;
  }

  /** The column that holds the key, as the source calls it where none is named. */
  public String keyColumnOr(String usual) {
    return keyColumn.isEmpty() ? usual : keyColumn;
  }

  public LookupConfig {
    topics = EnricherConfig.checkedTopics(topics);
    EnricherConfig.require("table", table);
    EnricherConfig.require("into", into);
    if (field.isEmpty() == (topicLevel == 0)) {
      throw new IllegalArgumentException("field or topicLevel must say where the key is, not both");
    }
  }
}
