package io.galop.ingest.tcp;

import io.galop.ingest.intake.Rejections;
import io.galop.ingest.parse.LineSplitter;
import io.galop.ingest.parse.RecordReader;
import io.galop.ingest.parse.RecordSink;
import io.galop.ingest.publisher.RecordSender;
import io.galop.record.Reason;
import io.galop.record.Rejection;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Lines {@code {"topic":…,"data":{…},"id":…,"time":…}}, answered by {@code {"acked":n}} with {@code
 * "rejected":[{"line":k,"reason":"…","detail":"…"}]}, {@code "retryAfterMs":m} and {@code
 * "error":"…"} where there are any. The first line may, and where publishers are asked for tokens
 * must, be {@code {"token":"…"}}; it does not count.
 */
public final class NdjsonWire implements TcpWire, LineSplitter.Lines {
  private static final byte[] GREETING = "{\"token\"".getBytes(StandardCharsets.US_ASCII);
  private static final String NO_TOKEN =
      "the token is missing or wrong; send {\"token\":\"…\"} as the first line";

  private final RecordReader reader;
  private final RecordSender sender;
  private final LineSplitter splitter;
  private boolean first = true;
  private int line;

  /** Takes the records of what is read now; null before anything was read. */
  private @Nullable RecordSink sink;

  NdjsonWire(RecordReader reader, RecordSender sender, int maxLineBytes) {
    this.reader = reader;
    this.sender = sender;
    this.splitter = new LineSplitter(maxLineBytes, this);
  }

  @Override
  public int take(byte[] bytes, RecordSink to) throws TcpFailure {
    sink = to;
    line = 0;
    splitter.take(bytes, 0, bytes.length);
    if (!first && !sender.isKnown()) {
      throw new TcpFailure(NO_TOKEN, 0);
    }
    return line;
  }

  @Override
  public int end(RecordSink to) {
    sink = to;
    line = 0;
    splitter.end();
    return line;
  }

  /** Nobody waits for an answer to an empty line. */
  @Override
  public boolean isAsked() {
    return false;
  }

  @Override
  public boolean isHalf() {
    return splitter.isInLine();
  }

  @Override
  public int heldBytes() {
    return splitter.heldBytes();
  }

  @Override
  public void onLine(byte[] bytes, int from, int to) {
    if (first && isGreeting(bytes, from, to)) {
      first = false;
      return;
    }
    first = false;
    if (sender.isKnown()) {
      line++;
      reader.readLine(bytes, from, to, line, sink());
    }
  }

  private RecordSink sink() {
    return Objects.requireNonNull(sink, "lines come only from take and end, which set it");
  }

  private boolean isGreeting(byte[] bytes, int from, int to) {
    for (int i = 0; i < GREETING.length; i++) {
      if (from + i >= to || bytes[from + i] != GREETING[i]) {
        return false;
      }
    }
    try {
      JsonObject line =
          new JsonObject(Buffer.buffer(to - from).appendBytes(bytes, from, to - from));
      if (line.containsKey("topic") || line.containsKey("data")) {
        return false; // a record with a field too many, which has to be rejected
      }
      sender.greet(line.getValue("token") instanceof String text ? text : "");
    } catch (DecodeException e) {
      return false;
    }
    return true;
  }

  @Override
  public void onLongLine() {
    first = false;
    if (sender.isKnown()) {
      line++;
      sink().reject(new Rejection(line, Reason.TOO_LARGE, reader.tooLongLine()));
    }
  }

  @Override
  public Buffer acknowledgement(
      long acked, List<Refused> refused, String error, long retryAfterMs) {
    if (refused.isEmpty() && error.isEmpty()) {
      return Buffer.buffer("{\"acked\":" + acked + "}\n");
    }
    JsonObject answer = new JsonObject().put("acked", acked);
    if (!refused.isEmpty()) {
      JsonArray array = new JsonArray();
      refused.forEach(one -> array.add(Rejections.toJson(one.line(), one.rejection())));
      answer.put("rejected", array);
    }
    if (retryAfterMs > 0) {
      answer.put("retryAfterMs", retryAfterMs);
    }
    if (!error.isEmpty()) {
      answer.put("error", error);
    }
    return answer.toBuffer().appendByte((byte) '\n');
  }
}
