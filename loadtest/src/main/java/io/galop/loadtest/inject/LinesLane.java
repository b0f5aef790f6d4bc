package io.galop.loadtest.inject;

import io.galop.loadtest.scenario.Injection;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The tcp door with NDJSON. */
final class LinesLane extends SocketLane {
  private static final Pattern ACKED = Pattern.compile("\"acked\":\\s*(\\d+)");
  private static final Pattern REASON = Pattern.compile("\"reason\"");
  private static final int BUFFER_BYTES = 1 << 17;

  private final byte[] buffer;

  LinesLane(InetSocketAddress door, Injection plan) throws IOException {
    super(door, new Ledger(), lines(plan), BUFFER_BYTES);
    buffer = new byte[mostBytes()];
  }

  /** A line that says its topic. */
  static Template lines(Injection plan) {
    return Template.of("{\"topic\":\"", "\",\"data\":", "}\n", plan);
  }

  @Override
  void send(ScheduleShare share) throws IOException {
    out().write(buffer, 0, write(share, buffer, 0));
  }

  @Override
  void readAnswers(InputStream in) throws IOException {
    BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      Matcher matcher = ACKED.matcher(line);
      if (!matcher.find()) {
        throw new IOException("the door refuses: " + line);
      }
      ledger().onRefused(REASON.matcher(line).results().count());
      ledger().onAcked(Long.parseLong(matcher.group(1)));
    }
  }
}
