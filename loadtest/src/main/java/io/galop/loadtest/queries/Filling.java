package io.galop.loadtest.queries;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Puts the records into a node that are asked for afterwards. */
final class Filling {
  static final String TOPIC = "load/history";

  private static final Pattern ACKED = Pattern.compile("\"acked\":\\s*(\\d+)");
  private static final long FIRST_US = 1_395_000_000_000_000L;
  private static final long EVERY_US = 100_000;
  private static final int TIMEOUT_MS = 60_000;
  private static final int AT_ONCE = 500;
  private static final int PAD = 260;

  private Filling() {}

  /** Sends them over the door and waits until all are durable. Data of about 290 bytes each. */
  static void fill(InetSocketAddress door, int records) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(door, TIMEOUT_MS);
      socket.setSoTimeout(TIMEOUT_MS);
      OutputStream out = socket.getOutputStream();
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      for (int at = 0; at < records; at += AT_ONCE) {
        int end = Math.min(records, at + AT_ONCE);
        StringBuilder lines = new StringBuilder();
        for (int i = at; i < end; i++) {
          lines.append(line(i));
        }
        out.write(lines.toString().getBytes(StandardCharsets.US_ASCII));
        awaitAcked(in, end);
      }
    }
  }

  private static String line(int i) {
    return "{\"topic\":\"%s\",\"id\":\"q-%d\",\"time\":%d,\"data\":{\"odds\":%d,\"pad\":\"%s\"}}\n"
        .formatted(TOPIC, i, FIRST_US + i * EVERY_US, i, "x".repeat(PAD));
  }

  private static void awaitAcked(BufferedReader in, int lines) throws IOException {
    long acked = 0;
    while (acked < lines) {
      String answer = in.readLine();
      if (answer == null || answer.contains("\"reason\"")) {
        throw new IOException("the door refuses: " + answer);
      }
      Matcher matcher = ACKED.matcher(answer);
      acked = matcher.find() ? Long.parseLong(matcher.group(1)) : acked;
    }
  }
}
