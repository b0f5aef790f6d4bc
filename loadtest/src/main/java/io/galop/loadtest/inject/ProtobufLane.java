package io.galop.loadtest.inject;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import io.galop.loadtest.scenario.Injection;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/** The tcp door with Protobuf: Batches, each behind its length; the fields as record.proto has. */
final class ProtobufLane extends SocketLane {
  private static final int RECORDS_FIELD = 3;
  private static final int TOPIC_FIELD = 1;
  private static final int DATA_FIELD = 2;
  private static final int ACKED_FIELD = 1;
  private static final int REJECTED_FIELD = 2;
  private static final int ERROR_FIELD = 3;
  private static final int LENGTH_BYTES = 5;
  private static final int BUFFER_BYTES = 1 << 17;

  private final byte[] buffer;

  ProtobufLane(InetSocketAddress door, Injection plan) throws IOException {
    super(door, new Ledger(), records(plan), BUFFER_BYTES);
    buffer = new byte[LENGTH_BYTES + mostBytes()];
  }

  /** A record within a Batch; all have the same lengths, which are written once. */
  private static Template records(Injection plan) throws IOException {
    int data = plan.bytes();
    String topic = head(TOPIC_FIELD, Template.topicBytes());
    String between = head(DATA_FIELD, data);
    int length = topic.length() + Template.topicBytes() + between.length() + data;
    return Template.of(head(RECORDS_FIELD, length) + topic, between, "", plan);
  }

  private static String head(int field, int length) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    out.writeTag(field, WireFormat.WIRETYPE_LENGTH_DELIMITED);
    out.writeUInt32NoTag(length);
    out.flush();
    return bytes.toString(StandardCharsets.ISO_8859_1);
  }

  @Override
  void send(ScheduleShare share) throws IOException {
    CodedOutputStream head = CodedOutputStream.newInstance(buffer, 0, LENGTH_BYTES);
    head.writeUInt32NoTag(share.count() * template().length());
    out().write(buffer, 0, write(share, buffer, head.getTotalBytesWritten()));
  }

  @Override
  void readAnswers(InputStream in) throws IOException {
    for (int first = in.read(); first >= 0; first = in.read()) {
      int length = CodedInputStream.readRawVarint32(first, in);
      onAcknowledgement(CodedInputStream.newInstance(in.readNBytes(length)));
    }
  }

  private void onAcknowledgement(CodedInputStream message) throws IOException {
    long acked = ledger().acked();
    for (int tag = message.readTag(); tag != 0; tag = message.readTag()) {
      switch (WireFormat.getTagFieldNumber(tag)) {
        case ACKED_FIELD -> acked = message.readUInt64();
        case REJECTED_FIELD -> {
          ledger().onRefused(1);
          message.skipField(tag);
        }
        case ERROR_FIELD -> throw new IOException("the door refuses: " + message.readString());
        default -> message.skipField(tag);
      }
    }
    ledger().onAcked(acked);
  }
}
