package io.galop.persist.sink;

import io.galop.persist.log.Log;
import io.galop.persist.log.file.LogPosition;
import io.galop.persist.store.BadRecordException;
import io.galop.persist.store.ColdPage;
import io.galop.persist.store.ColdQuery;
import io.galop.persist.store.Store;
import io.galop.persist.store.StoreBatch;
import io.galop.record.Placed;
import io.galop.record.Record;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongUnaryOperator;
import java.util.function.Predicate;

/** A store whose answers the test holds in its hands. */
class MemoryStore implements Store {
  final Map<String, Placed> records = new ConcurrentHashMap<>();
  final AtomicInteger writes = new AtomicInteger();
  final AtomicInteger opens = new AtomicInteger();
  final AtomicInteger trims = new AtomicInteger();
  final List<Held> held = new CopyOnWriteArrayList<>();
  volatile Optional<LogPosition> cursor = Optional.empty();
  volatile boolean hold;
  volatile boolean down;

  /** One that calls some records bad. */
  static MemoryStore refusing(String why, Predicate<Record> isBad) {
    return new MemoryStore() {
      @Override
      public Future<Integer> write(StoreBatch parcel) {
        return parcel.records().stream().map(Placed::record).anyMatch(isBad)
            ? Future.failedFuture(new BadRecordException(why, null))
            : super.write(parcel);
      }
    };
  }

  record Held(StoreBatch parcel, Promise<Integer> answer) {}

  @Override
  public Future<Optional<LogPosition>> open(long log) {
    opens.incrementAndGet();
    return down ? Future.failedFuture("the store is down") : Future.succeededFuture(cursor);
  }

  @Override
  public Future<Integer> write(StoreBatch parcel) {
    writes.incrementAndGet();
    if (down) {
      return Future.failedFuture("the store is down");
    }
    if (hold) {
      Held one = new Held(parcel, Promise.promise());
      held.add(one);
      return one.answer().future();
    }
    return Future.succeededFuture(keep(parcel));
  }

  int keep(StoreBatch parcel) {
    int added = 0;
    for (Placed placed : parcel.records()) {
      added += records.putIfAbsent(placed.record().id(), placed) == null ? 1 : 0;
    }
    parcel.cursor().ifPresent(upTo -> cursor = parcel.cursor());
    return added;
  }

  void answer(Held one) {
    one.answer().complete(keep(one.parcel()));
  }

  /** Whether it has been told that it is at the Log's end. */
  boolean hasAllOf(Log log) {
    return cursor.filter(log.durable()::equals).isPresent();
  }

  @Override
  public boolean keepsCursor() {
    return true;
  }

  @Override
  public Future<Void> saveCursor(long log, LogPosition upTo) {
    if (down) {
      return Future.failedFuture("the store is down");
    }
    cursor = Optional.of(upTo);
    return Future.succeededFuture();
  }

  @Override
  public Future<Boolean> trim(LongUnaryOperator clock) {
    trims.incrementAndGet();
    return Future.succeededFuture(false);
  }

  @Override
  public Future<ColdPage> query(ColdQuery query) {
    return Future.succeededFuture(new ColdPage(List.of(), Optional.empty()));
  }

  @Override
  public void close() {}
}
