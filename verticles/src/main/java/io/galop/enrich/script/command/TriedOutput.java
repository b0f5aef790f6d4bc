package io.galop.enrich.script.command;

import io.galop.json.JsonString;
import io.galop.record.Record;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Prints records as the lines that doors read. */
final class TriedOutput {
  private TriedOutput() {}

  static void print(Record record, OutputStream to) throws IOException {
    write(to, "{\"topic\":" + JsonString.quoted(record.topic()) + ",\"data\":");
    to.write(record.data());
    write(to, ",\"id\":" + JsonString.quoted(record.id()) + ",\"time\":" + record.timeUs() + "}\n");
  }

  private static void write(OutputStream to, String text) throws IOException {
    to.write(text.getBytes(StandardCharsets.UTF_8));
  }
}
