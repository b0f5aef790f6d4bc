package io.galop.e2e;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** The first request of a session, with an origin that no client would let us name. */
final class Handshake {
  private static final String UPGRADE =
      "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
          + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

  /** Transport → method and path below the feed. */
  private static final Map<String, String> FIRST =
      Map.of(
          "websocket", "GET /0/s%d/websocket",
          "raw-websocket", "GET /websocket",
          "xhr-streaming", "POST /0/s%d/xhr_streaming",
          "xhr-polling", "POST /0/s%d/xhr",
          "eventsource", "GET /0/s%d/eventsource",
          "htmlfile", "GET /0/s%d/htmlfile?c=f",
          "jsonp-polling", "GET /0/s%d/jsonp?c=f",
          "sse", "GET /stream/origin/a?format=sse",
          "ndjson", "GET /stream/origin/a");

  private Handshake() {}

  /** The status of the answer. */
  static int status(Row row, int port, String token, String origin) throws IOException {
    String[] first = FIRST.get(row.transport()).formatted(System.nanoTime()).split(" ");
    String base = first[1].startsWith("/stream/") ? "" : "/live";
    String path = base + first[1] + (first[1].contains("?") ? "&" : "?") + "token=" + token;
    String request =
        String.join(
            "\r\n",
            List.of(
                first[0] + " " + path + " HTTP/1.1",
                "Host: " + row.host() + ":" + port,
                "Origin: " + origin,
                "Content-Length: 0",
                row.transport().endsWith("websocket") ? UPGRADE : "\r\n"));
    try (Socket socket = new Socket("127.0.0.1", port)) {
      socket.setSoTimeout(60_000);
      socket.getOutputStream().write((request + "\r\n").getBytes(StandardCharsets.US_ASCII));
      BufferedReader answer =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
      return Integer.parseInt(answer.readLine().split(" ")[1]);
    }
  }
}
