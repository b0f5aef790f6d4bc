package io.galop.ingest.tcp;

import com.google.protobuf.CodedOutputStream;
import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;

/** The {@code Acknowledgement} message of record.proto, its length first. */
final class ProtobufAnswer {
  private ProtobufAnswer() {}

  private interface Fields {
    void writeTo(CodedOutputStream out) throws IOException;
  }

  static Buffer of(long acked, List<TcpWire.Refused> refused, String error, long retryAfterMs) {
    byte[] message =
        message(
            out -> {
              out.writeUInt64(1, acked);
              for (TcpWire.Refused one : refused) {
                out.writeByteArray(2, rejection(one));
              }
              if (!error.isEmpty()) {
                out.writeString(3, error);
              }
              if (retryAfterMs > 0) {
                out.writeUInt64(4, retryAfterMs);
              }
            });
    return Buffer.buffer(message(out -> out.writeByteArrayNoTag(message)));
  }

  private static byte[] rejection(TcpWire.Refused one) {
    return message(
        out -> {
          out.writeUInt64(1, one.line());
          out.writeString(2, one.rejection().reason().word());
          out.writeString(3, one.rejection().detail());
        });
  }

  private static byte[] message(Fields fields) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    try {
      fields.writeTo(out);
      out.flush();
    } catch (IOException e) {
      throw new IllegalStateException("bytes in memory can be written", e);
    }
    return bytes.toByteArray();
  }
}
