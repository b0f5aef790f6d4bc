package io.galop.ingest.tcp;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import io.galop.ingest.parse.RecordReader;
import io.galop.ingest.parse.RecordSink;
import io.galop.ingest.publisher.RecordSender;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.util.List;

/**
 * Length-prefixed {@code Batch} messages, answered by {@code Acknowledgement}, as record.proto has
 * them. Read and written by hand: a generated class would make objects for every record that are
 * thrown away at once.
 */
public final class ProtobufWire implements TcpWire {
  private static final int TOKEN = 2 << 3 | 2;
  private static final int RECORDS = 3 << 3 | 2;
  private static final String NO_TOKEN =
      "the token is missing or wrong; send it as 'token' of the first Batch";

  private final RecordSender sender;
  private final MessageSplitter splitter;
  private final ProtobufRecord record;
  private boolean asked;

  ProtobufWire(RecordReader reader, RecordSender sender, int maxMessageBytes) {
    this.sender = sender;
    this.splitter = new MessageSplitter(maxMessageBytes);
    this.record = new ProtobufRecord(reader);
  }

  /** Whether a connection may begin so: a length, then a field of Batch. */
  static boolean isStart(byte length, byte next) {
    return length <= 0 || next == TOKEN || next == RECORDS;
  }

  @Override
  public int take(byte[] bytes, RecordSink sink) throws TcpFailure {
    int lines = 0;
    asked = false;
    splitter.add(bytes);
    while (splitter.next(lines)) {
      int before = lines;
      lines = read(splitter.bytes(), splitter.from(), splitter.to(), before, sink);
      asked |= lines == before;
    }
    return lines;
  }

  private int read(byte[] bytes, int from, int to, int before, RecordSink sink) throws TcpFailure {
    int lines = before;
    try {
      CodedInputStream in = CodedInputStream.newInstance(bytes, from, to - from);
      int tag = in.readTag();
      if (tag == TOKEN) {
        sender.greet(in.readString());
        tag = in.readTag();
      }
      if (!sender.isKnown()) {
        throw new TcpFailure(NO_TOKEN, lines);
      }
      for (; tag != 0; tag = in.readTag()) {
        if (tag == RECORDS) {
          record.read(in);
          record.make(++lines, sink);
        } else {
          in.skipField(tag);
        }
      }
      return lines;
    } catch (InvalidProtocolBufferException e) {
      throw new TcpFailure("a message is no Batch of record.proto: " + e.getMessage(), lines);
    } catch (IOException e) {
      throw new IllegalStateException("bytes in memory can be read", e);
    }
  }

  /** Of a Batch without records. */
  @Override
  public boolean isAsked() {
    return asked;
  }

  @Override
  public boolean isHalf() {
    return splitter.heldBytes() > 0;
  }

  @Override
  public int heldBytes() {
    return splitter.heldBytes();
  }

  /** A cut off message was not acknowledged, so its sender knows. */
  @Override
  public int end(RecordSink sink) {
    asked = false;
    return 0;
  }

  @Override
  public Buffer acknowledgement(
      long acked, List<Refused> refused, String error, long retryAfterMs) {
    return ProtobufAnswer.of(acked, refused, error, retryAfterMs);
  }
}
