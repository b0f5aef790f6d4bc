package io.galop;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.ConfigLoader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Requests that are sent before the answer to the one before them has come. */
@Tag("slow")
@Timeout(180)
class PipeliningTest {
  @TempDir private Path directory;
  private GalopNode node;
  private final List<Socket> sockets = new ArrayList<>();

  private void start(String... settings) {
    List<String> sets = new ArrayList<>(List.of("node.dataDir=" + directory));
    sets.addAll(List.of("http.port=0", "management.port=0", "node.roles=[persist, broadcast]"));
    sets.addAll(List.of(settings));
    node = GalopNode.start(ConfigLoader.load(Optional.empty(), Map.of(), sets, Map.of()));
  }

  @AfterEach
  void stop() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    node.close();
  }

  private Socket connect() throws IOException {
    int port = Integer.parseInt(node.listeners().get("http").split(":")[1]);
    Socket socket = new Socket("127.0.0.1", port);
    socket.setSoTimeout(60_000);
    sockets.add(socket);
    return socket;
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(US_ASCII));
  }

  private static String plain(Socket socket, String request) throws IOException {
    send(socket, request);
    byte[] answer = new byte[65_536];
    int read = socket.getInputStream().read(answer);
    return new String(answer, 0, Math.max(0, read), StandardCharsets.ISO_8859_1);
  }

  /** Its head is whole, though nobody looks at it before the answer in front of it has left. */
  @Test
  void aRequestBehindALongPollHasTheTimeThatThisTakes() throws Exception {
    start("http.firstRequestTimeoutSeconds=2", "broadcast.heartbeatMs=8000");
    String rest = " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\n\r\n";
    Socket socket = connect();
    assertTrue(plain(socket, "POST /live/000/polled/xhr" + rest).endsWith("o\n"));
    send(socket, "POST /live/000/polled/xhr" + rest);
    Thread.sleep(100);
    send(socket, "GET /live/info" + rest);
    assertTrue(until(socket, "\"websocket\":true").contains("h\n"), "no heartbeat was polled");
  }

  /** It comes in several reads, before anybody looks at its head. */
  @Test
  void aBodyBehindALongPollIsNoHead() throws Exception {
    start("http.firstRequestTimeoutSeconds=2", "broadcast.heartbeatMs=8000");
    String head = " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ";
    Socket socket = connect();
    String poll = "POST /live/000/polled/xhr" + head + "0\r\n\r\n";
    assertTrue(plain(socket, poll).endsWith("o\n"));
    send(socket, poll);
    Thread.sleep(100);
    String body = "[\n  1\n]\n".repeat(5000);
    send(socket, "POST /none" + head + body.length() + "\r\n\r\n" + body);
    assertTrue(until(socket, "unknown_path").contains("h\n"), "no heartbeat was polled");
  }

  @Test
  void whoAsksMuchAtOnceAndReadsLateHasEveryAnswer() throws Exception {
    start("http.firstRequestTimeoutSeconds=2");
    int requests = 60_000;
    Socket socket = connect();
    Thread asking = new Thread(() -> askOften(socket, requests));
    asking.start();
    Thread.sleep(6000);
    String answers = until(socket, "/asked/" + (requests - 1) + "\"");
    asking.join();
    List<String> asked =
        Pattern.compile("/asked/(\\d+)").matcher(answers).results().map(m -> m.group(1)).toList();
    assertEquals(IntStream.range(0, requests).mapToObj(Integer::toString).toList(), asked);
  }

  private static String until(Socket socket, String last) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    byte[] bytes = new byte[1 << 20];
    String end = "";
    while (!end.contains(last)) {
      int read = socket.getInputStream().read(bytes);
      assertTrue(read > 0, "it ended after " + end);
      all.write(bytes, 0, read);
      String more = end + new String(bytes, 0, read, US_ASCII);
      end = more.substring(Math.max(0, more.length() - 200));
    }
    return all.toString(US_ASCII);
  }

  private static void askOften(Socket socket, int requests) {
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < requests; i++) {
      all.append("GET /asked/").append(i).append(" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
    }
    try {
      send(socket, all.toString());
    } catch (IOException gone) {
      // The reader finds out.
    }
  }
}
