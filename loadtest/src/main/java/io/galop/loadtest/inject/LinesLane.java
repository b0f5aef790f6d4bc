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

  private final Template template;
  private final byte[] buffer;
  private final int most;

  LinesLane(InetSocketAddress door, Injection plan) throws IOException {
    super(door, new Ledger());
    template = lines(plan);
    most = Math.max(1, BUFFER_BYTES / template.length());
    buffer = new byte[most * template.length()];
  }

  /** A line that says its topic. */
  static Template lines(Injection plan) {
    return Template.of("{\"topic\":\"", "\",\"data\":", "}\n", plan);
  }

  @Override
  int mostAtOnce() {
    return most;
  }

  @Override
  void send(Schedule schedule, long index, int count, int stride) throws IOException {
    int at = 0;
    for (int i = 0; i < count; i++) {
      long record = index + (long) i * stride;
      long due = schedule.due(record);
      ledger().onSend(due);
      at = template.write(schedule.first() + record, due, buffer, at);
    }
    out().write(buffer, 0, at);
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
