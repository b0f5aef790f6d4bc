package io.galop.ingest.http;

import io.galop.config.ingest.IngestConfig;
import io.galop.ingest.intake.Collected;
import io.galop.ingest.parse.LineSplitter;
import io.galop.ingest.parse.RecordReader;
import io.galop.record.Reason;
import io.galop.record.Rejection;
import io.vertx.core.buffer.Buffer;
import java.util.Arrays;
import java.util.Optional;

/** Reads a body while it comes in: unpacks it, cuts it into lines, makes records of them. */
final class BodyReader implements LineSplitter.Lines, AutoCloseable {
  private final IngestConfig config;
  private final RecordReader reader;
  private final PublishRequest request;
  private final Collected collected;
  private final LineSplitter splitter;
  private final Optional<Gunzip> gunzip;
  private final Buffer whole = Buffer.buffer();
  private long received;
  private long unpacked;
  private int line;

  BodyReader(IngestConfig config, RecordReader reader, PublishRequest request, Collected to) {
    this.config = config;
    this.reader = reader;
    this.request = request;
    this.collected = to;
    this.splitter = new LineSplitter(config.limits().maxLineBytes(), this);
    this.gunzip =
        request.gzip()
            ? Optional.of(
                new Gunzip(config.http().maxInflatedBytes(), config.http().maxInflateRatio()))
            : Optional.empty();
  }

  /** Takes the next piece; what is wrong with the body, if anything is. */
  Optional<PublishRequest.Wrong> take(byte[] bytes) {
    received += bytes.length;
    if (received > config.http().maxBodyBytes()) {
      return tooLarge(PublishRequest.tooLarge(config.http().maxBodyBytes()));
    }
    if (gunzip.isEmpty()) {
      unpacked(bytes, 0, bytes.length);
    } else {
      Gunzip.State state = gunzip.get().take(bytes, this::unpacked);
      if (state != Gunzip.State.GOOD) {
        return state == Gunzip.State.TOO_LARGE ? tooLarge(tooPacked()) : notGzip();
      }
    }
    return isObjectTooLarge() ? tooLarge(objectTooLarge()) : Optional.empty();
  }

  private void unpacked(byte[] bytes, int from, int to) {
    unpacked += to - from;
    if (request.lines()) {
      splitter.take(bytes, from, to);
    } else if (!isObjectTooLarge()) {
      whole.appendBytes(bytes, from, to - from);
    }
  }

  /** Takes the end of the body; what is wrong with it, if anything is. */
  Optional<PublishRequest.Wrong> end() {
    if (gunzip.isPresent() && received > 0 && !gunzip.get().isWhole()) {
      return notGzip();
    }
    if (request.lines()) {
      splitter.end();
    } else {
      byte[] bytes = whole.getBytes();
      onLine(bytes, 0, bytes.length);
    }
    return collected.isEmpty() && collected.rejections().count() == 0
        ? wrong(400, "the body holds no record; send at least one JSON object")
        : Optional.empty();
  }

  @Override
  public void onLine(byte[] bytes, int from, int to) {
    line++;
    if (request.isDrill()) {
      byte[] whole = Arrays.copyOfRange(bytes, from, to);
      reader.readDrill(request.topic().orElseThrow(), whole, line, collected);
    } else if (request.topic().isPresent()) {
      reader.readData(request.topic().get(), bytes, from, to, line, collected);
    } else {
      reader.readLine(bytes, from, to, line, collected);
    }
  }

  @Override
  public void onLongLine() {
    line++;
    collected.reject(new Rejection(line, Reason.TOO_LARGE, reader.tooLongLine()));
  }

  /** How many bytes it has come to. */
  long unpackedBytes() {
    return unpacked;
  }

  private boolean isObjectTooLarge() {
    return !request.lines() && unpacked > config.limits().maxLineBytes();
  }

  private String objectTooLarge() {
    return "the object is larger than the "
        + config.limits().maxDataBytes()
        + " bytes of ingest.limits.maxDataBytes; send less";
  }

  private String tooPacked() {
    return "the body unpacks to more than "
        + config.http().maxInflatedBytes()
        + " bytes (ingest.http.maxInflatedBytes) or "
        + config.http().maxInflateRatio()
        + " times its size (ingest.http.maxInflateRatio); send it in parts";
  }

  private static Optional<PublishRequest.Wrong> notGzip() {
    return wrong(400, "the body is not whole, valid gzip, as its Content-Encoding says");
  }

  private static Optional<PublishRequest.Wrong> tooLarge(String error) {
    return wrong(413, error);
  }

  private static Optional<PublishRequest.Wrong> wrong(int status, String error) {
    return Optional.of(new PublishRequest.Wrong(status, error));
  }

  @Override
  public void close() {
    gunzip.ifPresent(Gunzip::close);
  }
}
