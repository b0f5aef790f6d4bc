package io.galop.client;

import com.fasterxml.jackson.core.JsonParser;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Reads what viewers are sent, one JSON string a line, and writes what the client makes of it. */
public final class ReadDeltas {
  private ReadDeltas() {}

  public static void main(String[] args) throws IOException {
    Deltas deltas = new Deltas();
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    try (Writer out = new OutputStreamWriter(System.out, StandardCharsets.UTF_8)) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        out.write(made(deltas, line) + "\n");
      }
    }
  }

  private static String made(Deltas deltas, String line) throws IOException {
    try (JsonParser parser = Json.FACTORY.createParser(line)) {
      parser.nextToken();
      return quoted(deltas.read(parser.getText()));
    } catch (Deltas.Lost lost) {
      return Json.write(lost.address.isEmpty() ? Map.of() : Map.of("lost", lost.address));
    }
  }

  private static String quoted(String text) throws IOException {
    StringWriter quoted = new StringWriter();
    try (var to = Json.FACTORY.createGenerator(quoted)) {
      to.writeString(text);
    }
    return quoted.toString();
  }
}
