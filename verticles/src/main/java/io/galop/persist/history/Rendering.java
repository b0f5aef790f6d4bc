package io.galop.persist.history;

import io.galop.json.JsonOmit;
import io.galop.json.TextBytes;
import io.galop.persist.fold.FieldPath;
import io.galop.persist.history.Form.Format;
import io.galop.persist.store.RecordJson;
import io.galop.record.Placed;
import io.galop.record.Record;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The records of an answer as text, compressed if asked for, piece by piece. */
final class Rendering implements Pieces {

  /** What the last record of a piece may take beyond it, as most do. */
  private static final int SPARE_BYTES = 4 * 1024;

  private final Format format;
  private final List<String> fields;
  private final List<FieldPath> paths;
  private final Merged records;
  private final JsonOmit omit;
  private final boolean isPart;
  private final @Nullable Gzip gzip;
  private TextBytes chunk = new TextBytes(PIECE_BYTES + SPARE_BYTES);
  private boolean hasEnded;

  Rendering(HistoryRequest request, List<NodeAnswer> answers) {
    this.records = new Merged(request, answers, request.query().limit());
    this.format = request.form().format();
    this.fields = request.shape().fields();
    this.paths = FieldPath.of(fields);
    this.omit = new JsonOmit(request.view().omit());
    this.isPart = !request.view().omit().isEmpty();
    this.gzip = request.form().isGzip() ? new Gzip() : null;
    if (format == Format.CSV) {
      List<String> names = new ArrayList<>(List.of("time", "id", "topic"));
      names.addAll(fields.isEmpty() ? List.of("data") : fields);
      Csv4180.line(names, chunk);
    }
  }

  @Override
  public boolean hasEnded() {
    return hasEnded;
  }

  @Override
  public boolean isSlow() {
    return gzip != null;
  }

  @Override
  public Optional<Future<Void>> waiting() {
    return hasEnded ? Optional.empty() : records.waiting();
  }

  @Override
  public Buffer next() {
    while (chunk.length() < PIECE_BYTES && !hasEnded && !records.mustLoad()) {
      step();
    }
    Buffer piece = gzip == null ? chunk.toBuffer() : gzip.next(chunk.toBytes(), hasEnded);
    chunk = new TextBytes(hasEnded ? 0 : PIECE_BYTES + SPARE_BYTES);
    return piece;
  }

  @Override
  public void setPagesAside() {
    records.setPagesAside();
    if (chunk.length() == 0) {
      chunk = new TextBytes(0);
    }
  }

  @Override
  public long heldBytes() {
    return records.heldBytes();
  }

  @Override
  public long pageBytes() {
    return ClusterSearch.PAGE_BYTES / NodeAnswer.PARTS * records.nodes();
  }

  private void step() {
    Placed placed = records.take();
    if (placed != null) {
      append(placed);
    } else if (!records.mustLoad()) {
      end();
    }
  }

  private void append(Placed placed) {
    byte[] data = placed.record().data();
    byte[] shown = isPart ? omit.of(data) : data;
    if (format == Format.CSV) {
      line(placed.record(), shown);
      return;
    }
    if (format == Format.JSON) {
      chunk.add(records.taken() == 1 ? '[' : ',');
    }
    RecordJson.append(placed, shown, chunk);
    if (format == Format.NDJSON) {
      chunk.add('\n');
    }
  }

  private void line(Record record, byte[] shown) {
    List<String> cells = new ArrayList<>();
    cells.add(Long.toString(record.timeUs()));
    cells.add(record.id());
    cells.add(record.topic());
    if (fields.isEmpty()) {
      cells.add(new String(RecordJson.onOneLine(shown), StandardCharsets.UTF_8));
    }
    paths.forEach(path -> cells.add(path.text(shown)));
    Csv4180.line(cells, chunk);
  }

  private void end() {
    hasEnded = true;
    if (format == Format.JSON) {
      if (records.taken() == 0) {
        chunk.add('[');
      }
      chunk.add(']');
    }
  }

  @Override
  public void close() {
    if (gzip != null) {
      gzip.close();
    }
  }
}
