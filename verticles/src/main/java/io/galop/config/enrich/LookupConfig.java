package io.galop.config.enrich;

import io.galop.yaml.Brick;
import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;
import java.util.List;

/** Adds the row of a reference table that a key of the record selects. */
@Brick("lookup")
@Doc("Adds a row of a table, in a file or a store, selected by a field or " + "topic level.")
public record LookupConfig(
    @Doc("Filters of the step's topics.") @Default("[\"#\"]") List<String> topics,
    @Doc(
            "The CSV file (RFC 4180, UTF-8, column names first); in a store the table, collection,"
                + " or prefix of Redis keys.")
        String table,
    @Doc("The key column; empty: the first, id or _id.") @Default("") String keyColumn,
    @Doc("The field with the key.") @Default("") String field,
    @Doc("The topic's level that is the key, from 1; 0: a field is.")
        @Default("0")
        @Range(min = 0, max = 64)
        int topicLevel,
    @Doc("The field for the row's other columns.") @Default("ref") String into,
    @Doc("What happens to a record without a key or row.") @Default("pass") OnMiss onMiss,
    @Doc("How often a file is checked, or a store's used row fetched again; 0 never.")
        @Default("5000")
        @Range(min = 0, max = 86_400_000)
        long refreshMs,
    @Doc("Most rows of a file, else it is refused, or of a store in the cache.")
        @Default("1000000")
        @Range(min = 1, max = 50_000_000)
        int maxRows,
    @Doc("Where the rows are.") @Default("file") LookupSourceConfig source,
    @Doc("What happens to a record without an answer of the store in time.") @Default("stale")
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
