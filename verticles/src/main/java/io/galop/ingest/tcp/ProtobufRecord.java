package io.galop.ingest.tcp;

import com.google.protobuf.CodedInputStream;
import io.galop.ingest.parse.Envelope;
import io.galop.ingest.parse.JsonScanner;
import io.galop.ingest.parse.RecordReader;
import io.galop.ingest.parse.RecordSink;
import io.galop.record.Reason;
import io.galop.record.Rejection;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** The {@code Record} message of record.proto; used again for each. */
final class ProtobufRecord {
  private static final byte[] NONE = {};
  private static final int TOPIC = 1 << 3 | 2;
  private static final int DATA = 2 << 3 | 2;
  private static final int ID = 3 << 3 | 2;
  private static final int TIME = 4 << 3;

  private final RecordReader reader;
  private byte[] topic = NONE;
  private byte[] data = NONE;
  private byte[] id = NONE;
  private boolean hasTime;
  private long timeUs;

  ProtobufRecord(RecordReader reader) {
    this.reader = reader;
  }

  /** Reads one, its length first. Unknown fields are passed over, as is the custom. */
  void read(CodedInputStream in) throws IOException {
    topic = NONE;
    data = NONE;
    id = NONE;
    hasTime = false;
    int outer = in.pushLimit(in.readRawVarint32());
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      switch (tag) {
        case TOPIC -> topic = in.readByteArray();
        case DATA -> data = in.readByteArray();
        case ID -> id = in.readByteArray();
        case TIME -> {
          hasTime = true;
          timeUs = in.readInt64();
        }
        default -> in.skipField(tag);
      }
    }
    in.popLimit(outer);
  }

  /** Makes a Record of what was read last. */
  void make(int line, RecordSink sink) {
    if (!JsonScanner.isUtf8(id)) {
      sink.reject(new Rejection(line, Reason.BAD_ID, "field 'id' is not UTF-8; encode it so"));
    } else if (hasTime && (timeUs < 0 || timeUs > Envelope.LATEST_US)) {
      sink.reject(new Rejection(line, Reason.BAD_TIME, Envelope.TIME_RULE));
    } else {
      String text = new String(id, StandardCharsets.UTF_8);
      reader.readParts(topic, text, hasTime ? timeUs : RecordReader.NO_TIME, data, line, sink);
    }
  }
}
