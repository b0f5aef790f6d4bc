package io.galop.persist.cassandra;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import io.galop.persist.store.ColdKey;
import io.galop.persist.store.ColdPage;
import io.galop.persist.store.ColdQuery;
import io.galop.record.Placed;
import io.galop.record.TopicFilter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Answers questions: bucket by bucket, and in each the first rows of every topic that is meant, so
 * many topics at once. Called by several threads, which wait.
 */
final class CassandraReads {
  private static final int MOST_ROWS = 1_000;
  private static final int LEAST_ROWS = 8;
  private static final int MOST_TOPICS = 2_000;
  private static final int TOPICS_AT_ONCE = 16;

  /** Of all topics that are asked at once together. */
  private static final int ROWS_OF_PAGES = 100;

  private static final int NAMES_OF_A_PAGE = 5_000;
  private static final long LONGEST_NS = TimeUnit.SECONDS.toNanos(30);

  private final TimeBuckets buckets;

  CassandraReads(TimeBuckets buckets) {
    this.buckets = buckets;
  }

  ColdPage query(CassandraStatements ask, ColdQuery query) throws Exception {
    long startedNs = System.nanoTime();
    int limit = Math.min(query.limit(), MOST_ROWS);
    MergedRows merged = new MergedRows(query, limit);
    for (Instant bucket : buckets(ask, query, merged)) {
      checkTime(startedNs);
      List<String> topics = topics(ask, bucket, query.filter(), startedNs);
      int rows =
          Math.max(LEAST_ROWS, Math.min(limit + 1, 2 * limit / Math.max(1, topics.size()) + 1));
      for (int at = 0; at < topics.size(); at += TOPICS_AT_ONCE) {
        checkTime(startedNs);
        List<String> some = topics.subList(at, Math.min(topics.size(), at + TOPICS_AT_ONCE));
        read(ask, query, bucket, some, rows, merged);
      }
      if (merged.isFull()) {
        break;
      }
    }
    return merged.page();
  }

  private static void checkTime(long startedNs) throws TimeoutException {
    if (System.nanoTime() - startedNs > LONGEST_NS) {
      throw new TimeoutException("it took too long; ask for fewer topics or a shorter time");
    }
  }

  private List<Instant> buckets(CassandraStatements ask, ColdQuery query, MergedRows merged) {
    Instant from = buckets.of(merged.fromUs());
    Instant to = buckets.of(merged.toUs());
    List<Instant> found = new ArrayList<>();
    for (Row row : ask.session().execute(ask.buckets().bind(from, to))) {
      found.add(Objects.requireNonNull(row.getInstant(0)));
    }
    if (!query.newestFirst()) {
      Collections.reverse(found);
    }
    return found;
  }

  /** The topics of a bucket that a filter means; they come in the order of their bytes. */
  private static List<String> topics(
      CassandraStatements ask, Instant bucket, TopicFilter filter, long startedNs)
      throws TimeoutException {
    if (filter.isExact()) {
      return List.of(filter.toString());
    }
    String prefix = prefix(filter.toString());
    List<String> found = new ArrayList<>();
    BoundStatement names = ask.topics().bind(bucket, prefix).setPageSize(NAMES_OF_A_PAGE);
    for (Row row : ask.session().execute(names)) {
      checkTime(startedNs);
      String topic = Objects.requireNonNull(row.getString(0));
      if (!topic.startsWith(prefix)) {
        break;
      }
      if (filter.matches(topic)) {
        found.add(topic);
      }
      if (found.size() > MOST_TOPICS) {
        throw new IllegalArgumentException(
            "%s means more than %,d topics of a bucket (%s); ask for fewer topics at once"
                .formatted(filter, MOST_TOPICS, bucket));
      }
    }
    return found;
  }

  /** What each topic of the filter begins with: {@code a/#} means {@code a} too. */
  static String prefix(String filter) {
    int plus = filter.indexOf('+');
    int all = filter.indexOf('#');
    int until = plus >= 0 ? plus : all > 0 ? all - 1 : Math.max(0, all);
    return filter.substring(0, until);
  }

  private static void read(
      CassandraStatements ask,
      ColdQuery query,
      Instant bucket,
      List<String> topics,
      int rows,
      MergedRows merged)
      throws Exception {
    List<CompletableFuture<AsyncResultSet>> answers = new ArrayList<>();
    int pageRows = Math.max(LEAST_ROWS, ROWS_OF_PAGES / topics.size());
    for (String topic : topics) {
      BoundStatement statement = statement(ask, query, topic, bucket, rows, merged);
      answers.add(
          ask.session().executeAsync(statement.setPageSize(pageRows)).toCompletableFuture());
    }
    for (var answer : answers) {
      take(await(answer), query, rows, merged);
    }
  }

  private static BoundStatement statement(
      CassandraStatements ask,
      ColdQuery query,
      String topic,
      Instant bucket,
      int rows,
      MergedRows merged) {
    long fromUs = merged.fromUs();
    long toUs = merged.toUs();
    Optional<ColdKey> after = query.after();
    if (!query.newestFirst()) {
      boolean goesOn = after.isPresent() && after.get().timeUs() == fromUs;
      return ask.up().bind(topic, bucket, fromUs, goesOn ? after.get().id() : "", toUs, rows);
    }
    return after.isPresent() && after.get().timeUs() == toUs
        ? ask.downFrom().bind(topic, bucket, fromUs, toUs, after.get().id(), rows)
        : ask.down().bind(topic, bucket, fromUs, toUs, rows);
  }

  /** Goes on page by page until there are enough rows, or enough bytes. */
  private static void take(AsyncResultSet first, ColdQuery query, int rows, MergedRows merged)
      throws Exception {
    List<Placed> found = new ArrayList<>();
    long bytes = 0;
    AsyncResultSet page = first;
    while (true) {
      for (Row row : page.currentPage()) {
        found.add(CassandraRow.placed(row));
        bytes += found.get(found.size() - 1).record().data().length;
      }
      boolean isEnough = found.size() > 1 && bytes >= query.maxBytes();
      if (isEnough || !page.hasMorePages()) {
        merged.add(found, !page.hasMorePages() && found.size() < rows);
        return;
      }
      page = await(page.fetchNextPage().toCompletableFuture());
    }
  }

  private static AsyncResultSet await(CompletableFuture<AsyncResultSet> answer) throws Exception {
    try {
      return answer.get();
    } catch (ExecutionException e) {
      throw CassandraErrors.told(e.getCause() == null ? e : e.getCause());
    }
  }
}
