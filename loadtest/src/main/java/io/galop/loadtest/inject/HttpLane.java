package io.galop.loadtest.inject;

import io.galop.loadtest.scenario.Injection;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Semaphore;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The http door: NDJSON in one request after the other, with all that has become due. */
final class HttpLane extends SocketLane {
  private static final Pattern LENGTH = Pattern.compile("(?i)\ncontent-length:\\s*(\\d+)");
  private static final Pattern REASON = Pattern.compile("\"reason\"");
  private static final int BUFFER_BYTES = 1 << 19;
  private static final int HEAD_BYTES = 256;
  private static final String ACCEPTED = "HTTP/1.1 202";

  private final Template template;
  private final String host;
  private final byte[] buffer;
  private final int most;
  private final Semaphore answered = new Semaphore(1);

  HttpLane(InetSocketAddress door, Injection plan) throws IOException {
    super(door, new Ledger());
    template = LinesLane.lines(plan);
    most = Math.max(1, BUFFER_BYTES / template.length());
    host = door.getHostString() + ":" + door.getPort();
    buffer = new byte[HEAD_BYTES + most * template.length()];
  }

  @Override
  int mostAtOnce() {
    return most;
  }

  @Override
  void send(Schedule schedule, long index, int count, int stride) throws IOException {
    answered.acquireUninterruptibly();
    if (ledger().failure() != null) {
      throw new IOException(ledger().failure());
    }
    byte[] head = head(count * template.length());
    System.arraycopy(head, 0, buffer, 0, head.length);
    int at = head.length;
    for (int i = 0; i < count; i++) {
      long record = index + (long) i * stride;
      long due = schedule.due(record);
      ledger().onSend(due);
      at = template.write(schedule.first() + record, due, buffer, at);
    }
    out().write(buffer, 0, at);
  }

  private byte[] head(int length) {
    return ("POST /publish HTTP/1.1\r\nHost: "
            + host
            + "\r\nContent-Type: application/x-ndjson\r\nContent-Length: "
            + length
            + "\r\n\r\n")
        .getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  void readAnswers(InputStream in) throws IOException {
    try {
      for (String head = readHead(in); !head.isEmpty(); head = readHead(in)) {
        Matcher length = LENGTH.matcher(head);
        if (!length.find()) {
          throw new IOException("an answer without a length: " + head);
        }
        byte[] body = in.readNBytes(Integer.parseInt(length.group(1)));
        onAnswer(head, new String(body, StandardCharsets.UTF_8));
      }
    } catch (IOException | RuntimeException e) {
      ledger().onFailure(String.valueOf(e.getMessage())); // before who waits is let go on
      throw e;
    } finally {
      ledger().onFailure("the door has closed the connection");
      answered.release();
    }
  }

  private static String readHead(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    for (int b = in.read(); b >= 0; b = in.read()) {
      head.append((char) b);
      if (b == '\n' && head.length() > 3 && head.charAt(head.length() - 3) == '\n') {
        return head.toString();
      }
    }
    return "";
  }

  private void onAnswer(String head, String body) throws IOException {
    if (!head.startsWith(ACCEPTED)) {
      throw new IOException("the door refuses: " + head.lines().findFirst().get() + " " + body);
    }
    ledger().onRefused(REASON.matcher(body).results().count());
    ledger().onAcked(ledger().sent());
    answered.release();
  }
}
