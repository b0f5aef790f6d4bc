package io.galop.persist.redis;

import io.galop.persist.log.file.LogPosition;
import io.galop.persist.store.EmptiedException;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The mark of the Log in a Redis server, with the cursor: written when the server is filled, and
 * asked for at the end of every batch. When it is gone the server was emptied, and is filled again
 * from the Log. From any thread.
 */
final class RedisMark {
  private final RedisLink link;
  private final RedisWrites writes;
  private final RedisMigration migration;
  private volatile String run = "";

  RedisMark(RedisLink link, RedisWrites writes, int shards) {
    this.link = link;
    this.writes = writes;
    this.migration = new RedisMigration(link, writes, shards);
  }

  /** How far the server is; leaves a mark where there is none. Converts what is of old versions. */
  Future<Optional<LogPosition>> open(long log) {
    return migration
        .run()
        .compose(v -> link.write(List.of(writes.readCursor(log))))
        .compose(replies -> onCursor(log, replies.get(0).list()));
  }

  private Future<Optional<LogPosition>> onCursor(long log, List<RedisReply> cursor) {
    Optional<String> known = cursor.get(0).text();
    if (known.isPresent()) {
      run = known.get();
      return Future.succeededFuture(position(cursor));
    }
    run = UUID.randomUUID().toString();
    return link.write(writes.mark(log, run)).map(done -> Optional.empty());
  }

  private static Optional<LogPosition> position(List<RedisReply> cursor) {
    return cursor
        .get(1)
        .text()
        .map(
            segment ->
                new LogPosition(
                    Long.parseLong(segment), Long.parseLong(cursor.get(2).text().orElse("0"))));
  }

  /** What the mark says as long as the server keeps what it has. */
  String run() {
    return run;
  }

  /** Fails with an {@link EmptiedException} if the mark is gone. */
  Future<Void> check(long log) {
    return link.write(List.of(writes.run(log))).compose(replies -> check(replies, run)).mapEmpty();
  }

  /** The same with the replies to a batch, of which the last is the mark. */
  static Future<List<RedisReply>> check(List<RedisReply> replies, String expected) {
    boolean same = replies.get(replies.size() - 1).text().filter(expected::equals).isPresent();
    return same
        ? Future.succeededFuture(replies)
        : Future.failedFuture(new EmptiedException("the server was emptied and is filled again"));
  }
}
