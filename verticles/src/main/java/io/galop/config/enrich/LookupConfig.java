package io.galop.config.enrich;

import io.galop.yaml.Brick;
import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;
import java.util.List;

/** Adds the row of a reference table that a key of the record selects. */
@Brick("lookup")
@Doc(
    "Adds the row of a reference table, in a file or a store, selected by "
        + "a field or topic level.")
public record LookupConfig(
    @Doc("Topic filters of this step; other records pass unchanged.") @Default("[\"#\"]")
        List<String> topics,
    @Doc(
            "The CSV file (RFC 4180, UTF-8, the first line names the columns), "
                + "beside the configuration or absolute; in a store the table, the "
                + "collection, or the prefix of Redis keys.")
        String table,
    @Doc(
            "The key column; empty: the first of a file, id of a table, _id of a "
                + "collection. Unused with Redis.")
        @Default("")
        String keyColumn,
    @Doc("The field of data with the key, a text or a number.") @Default("") String field,
    @Doc("The level of the topic that is the key, from 1; 0: the key is a field.")
        @Default("0")
        @Range(min = 0, max = 64)
        int topicLevel,
    @Doc("The field of data for the row's other columns.") @Default("ref") String into,
    @Doc("What happens to a record whose key is absent or not in the table.") @Default("pass")
        OnMiss onMiss,
    @Doc(
            "How often a file is checked for changes, or the age at which a "
                + "store's row in use is fetched again; 0 never.")
        @Default("5000")
        @Range(min = 0, max = 86_400_000)
        long refreshMs,
    @Doc(
            "Most rows; a larger file is refused, and a store's least recently "
                + "used rows leave the cache.")
        @Default("1000000")
        @Range(min = 1, max = 50_000_000)
        int maxRows,
    @Doc("Where the rows are.") @Default("file") LookupSourceConfig source,
    @Doc(
            "What happens to a record whose row a store does not return in time; "
                + "never with a file.")
        @Default("stale")
        OnUnavailable onUnavailable,
    @Doc("How a store's rows are cached and awaited.") LookupCacheConfig cache)
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
