package io.galop.persist.history;

import io.galop.json.JsonOmit;
import io.galop.persist.fold.Cell;
import io.galop.persist.fold.FieldPath;
import io.galop.persist.rollup.RolledRow;
import io.galop.record.Placed;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;

/**
 * Makes rows of records: buckets, or points of a plot. Pages come on the event loop and are folded
 * on a worker thread, one after the other, so nothing here needs a lock. What is held is a page of
 * each node, the ids of the records (some 50 bytes each), one bucket or the points, and the rows.
 */
final class Computation {
  private final HistoryRequest request;
  private final List<PartAnswers> parts;
  private final Context context;
  private final BooleanSupplier isUnwanted;
  private final int maxFolded;
  private final int maxPoints;
  private final JsonOmit omit;
  private final boolean isPart;
  private final RowText rows;
  private final Fold fold;
  private final FieldPath field;
  private final SortedMap<String, Triangles> plots = new TreeMap<>();

  /** The part that is folded, of which the first pages are loaded. */
  private int part;

  private Merged records;

  /** Records and rows that were taken, of all parts. */
  private int folded;

  /**
   * What came of it.
   *
   * @param body compressed if that was asked for
   * @param next where the next question goes on; empty after the last row
   * @param isCut whether there were more records than may be folded
   * @param isReduced whether points were chosen from extremes instead of all values
   * @param missing names of the stores that it is without, as {@code node/store}
   */
  record Answer(Buffer body, String next, boolean isCut, boolean isReduced, Set<String> missing) {}

  /**
   * Of pages that are loaded.
   *
   * @param parts in the order of the answer; the first pages of the first are loaded
   * @param maxFolded records that are read at most
   * @param maxPoints of all topics together
   * @param isUnwanted whether the client has gone
   */
  Computation(
      HistoryRequest request,
      List<PartAnswers> parts,
      Context context,
      int maxFolded,
      int maxPoints,
      BooleanSupplier isUnwanted) {
    this.request = request;
    this.parts = parts;
    this.records = merged(request, parts.get(0), maxFolded);
    this.context = context;
    this.maxFolded = maxFolded;
    this.maxPoints = maxPoints;
    this.isUnwanted = isUnwanted;
    this.omit = new JsonOmit(request.view().omit());
    this.isPart = !request.view().omit().isEmpty();
    this.rows = new RowText(request, System.currentTimeMillis() * 1_000);
    AnswerShape shape = request.shape();
    this.field = new FieldPath(shape.fields().get(0));
    this.fold =
        new Fold(Math.max(1, shape.everyUs()), shape.fields(), request.query().newestFirst(), rows);
  }

  /**
   * Computes.
   *
   * @return fails with an {@link IllegalArgumentException} where the question asks for too much,
   *     with anything else if a node fails in the middle
   */
  Future<Answer> run() {
    return context
        .executeBlocking(this::fold, false)
        .compose(
            isDone -> {
              if (isUnwanted.getAsBoolean()) {
                return Future.failedFuture("the client has gone");
              }
              return isDone
                  ? context.executeBlocking(this::answer, false)
                  : waiting().compose(page -> run());
            });
  }

  private static Merged merged(HistoryRequest request, PartAnswers part, int maxFolded) {
    return new Merged(request, part, maxFolded);
  }

  /** The next page of the part, or the first ones of the next. */
  private Future<Void> waiting() {
    if (records.mustLoad()) {
      return records.waiting().orElse(Future.succeededFuture());
    }
    PartAnswers next = parts.get(part + 1);
    return next.load()
        .onSuccess(
            loaded -> {
              part++;
              records = merged(request, next, maxFolded - folded);
            });
  }

  /** Takes what is loaded; whether that was all. */
  private boolean fold() {
    while (!rows.isFull()) {
      Placed placed = records.take();
      if (placed == null) {
        return !records.mustLoad() && (records.isFull() || part == parts.size() - 1);
      }
      folded++;
      if (parts.get(part).isRolled()) {
        Cell[] cells = RolledRow.cells(placed.record().data());
        fold.add(placed.record().topic(), placed.record().timeUs(), cells);
      } else {
        byte[] data = placed.record().data();
        add(placed.record().topic(), placed.record().timeUs(), isPart ? omit.of(data) : data);
      }
    }
    return true;
  }

  private void add(String topic, long timeUs, byte[] data) {
    if (request.shape().points() == 0) {
      fold.add(topic, timeUs, data);
      return;
    }
    double value = field.number(data);
    if (!Double.isNaN(value)) {
      plot(topic).add(timeUs, value);
    }
  }

  private Triangles plot(String topic) {
    int points = request.shape().points();
    Triangles plot = plots.get(topic);
    if (plot == null) {
      if ((plots.size() + 1L) * points > maxPoints) {
        throw new IllegalArgumentException(
            "there are more than %d topics, with %d points each; 'points' times topics may be %d"
                .formatted(plots.size(), points, maxPoints));
      }
      plot = new Triangles(points);
      plots.put(topic, plot);
    }
    return plot;
  }

  private Answer answer() {
    boolean isCut = records.isFull() && !rows.isFull();
    boolean isReduced = false;
    if (request.shape().points() > 0) {
      for (var plot : plots.entrySet()) {
        Triangles points = plot.getValue();
        isReduced |= points.isReduced();
        for (int i : points.chosen()) {
          rows.point(plot.getKey(), points.timeUs(i), points.value(i));
        }
      }
    } else if (!isCut) {
      fold.end();
    } else if (!fold.isPastFirst()) {
      throw new IllegalArgumentException(
          ("no bucket is complete within %,d records (persist.history.maxFolded); ask for a shorter"
                  + " 'every', fewer topics or another time")
              .formatted(maxFolded));
    }
    String next = request.shape().points() > 0 ? "" : next(isCut); // points have no 'after'
    byte[] text = rows.end();
    Buffer body = Buffer.buffer(text);
    if (request.form().isGzip()) {
      try (Gzip gzip = new Gzip()) {
        body = gzip.next(text, true);
      }
    }
    Set<String> missing = new TreeSet<>();
    parts.forEach(one -> missing.addAll(one.missing()));
    return new Answer(body, next, isCut, isReduced, missing);
  }

  private String next(boolean isCut) {
    return isCut ? fold.begin() + ":" : rows.isFull() ? rows.last() : "";
  }
}
