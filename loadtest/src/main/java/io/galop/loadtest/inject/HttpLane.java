package io.galop.loadtest.inject;

import io.galop.loadtest.scenario.Injection;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The http door: NDJSON in one request after the other, with all that has become due. */
final class HttpLane extends RequestLane {
  private static final Pattern LENGTH = Pattern.compile("(?i)\ncontent-length:\\s*(\\d+)");
  private static final Pattern REASON = Pattern.compile("\"reason\"");
  private static final int BUFFER_BYTES = 1 << 19;
  private static final int HEAD_BYTES = 256;
  private static final String ACCEPTED = "HTTP/1.1 202";

  private final String host;
  private final byte[] buffer;

  HttpLane(InetSocketAddress door, Injection plan) throws IOException {
    super(door, LinesLane.lines(plan), BUFFER_BYTES);
    host = door.getHostString() + ":" + door.getPort();
    buffer = new byte[HEAD_BYTES + mostBytes()];
  }

  @Override
  void request(ScheduleShare share) throws IOException {
    byte[] head = head(share.count() * template().length());
    System.arraycopy(head, 0, buffer, 0, head.length);
    out().write(buffer, 0, write(share, buffer, head.length));
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
  void readEach(InputStream in) throws IOException {
    for (String head = readHead(in); !head.isEmpty(); head = readHead(in)) {
      Matcher length = LENGTH.matcher(head);
      if (!length.find()) {
        throw new IOException("an answer without a length: " + head);
      }
      byte[] body = in.readNBytes(Integer.parseInt(length.group(1)));
      onAnswer(head, new String(body, StandardCharsets.UTF_8));
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
    onAnswered(REASON.matcher(body).results().count());
  }
}
