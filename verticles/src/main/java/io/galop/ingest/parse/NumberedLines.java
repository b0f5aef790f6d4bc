package io.galop.ingest.parse;

import io.galop.record.Reason;
import io.galop.record.Rejection;

/** Lines with envelopes, numbered from 1. */
public final class NumberedLines implements LineSplitter.Lines {
  private final RecordReader reader;
  private final RecordSink sink;
  private int line;

  public NumberedLines(RecordReader reader, RecordSink sink) {
    this.reader = reader;
    this.sink = sink;
  }

  @Override
  public void onLine(byte[] bytes, int from, int to) {
    reader.readLine(bytes, from, to, ++line, sink);
  }

  @Override
  public void onLongLine() {
    sink.reject(new Rejection(++line, Reason.TOO_LARGE, reader.tooLongLine()));
  }
}
