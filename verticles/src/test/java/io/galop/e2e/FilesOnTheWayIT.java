package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.galop.servers.Ports;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * How many files of Galop one record runs through, from a tcp door's socket to a browser's and, as
 * the acknowledgement, back: measured from outside, of the packed jar. What runs in each of many
 * short times with one record is on the way; what timers bring about is in some of them only.
 */
@Timeout(180)
class FilesOnTheWayIT {
  /**
   * 138 were measured, as docs/architecture.md says; on a slow machine a timer may seem to be one.
   */
  private static final int MOST_FILES = 140;

  private static final int WARM_UP = 300;
  private static final int ROUNDS = 25;
  private static final long IDLE_MS = 150;
  private static final String TOPIC = "way/1";

  @TempDir Path directory;

  /** The messages that a browser gets. */
  private static final class Screen implements WebSocket.Listener {
    private final BlockingQueue<String> messages = new LinkedBlockingQueue<>();

    @Override
    public CompletionStage<?> onText(WebSocket socket, CharSequence text, boolean isLast) {
      messages.add(text.toString());
      socket.request(1);
      return null;
    }

    private void await(String part) throws InterruptedException {
      String message;
      do {
        message = messages.poll(60, TimeUnit.SECONDS);
        assertTrue(message != null, "nothing with " + part + " came");
      } while (!message.contains(part));
    }
  }

  @Test
  void oneRecordRunsThroughSoManyFiles() throws Exception {
    Optional<String> agent = Coverage.agent();
    assumeTrue(agent.isPresent(), "the JaCoCo agent is not on the class path: run Maven");
    int port = Ports.free();
    List<String> jvm = List.of(Coverage.option(agent.get(), port));
    List<String> args = List.of("--set", "persist.cold.enabled=false");
    Screen screen = new Screen();
    try (GalopProcess node = GalopProcess.run(directory, jvm, args);
        Coverage coverage = Coverage.connect(port);
        Socket door = door(node)) {
      WebSocket browser = browser(node, screen);
      Set<String> way = way(coverage, door, screen);
      browser.abort();
      Map<String, Integer> parts = new TreeMap<>();
      way.forEach(file -> parts.merge(file.replaceFirst("/.*", ""), 1, Integer::sum));
      System.out.println("house: files on the way of a record: " + way.size() + " " + parts);
      way.forEach(file -> System.out.println("house: on the way: " + file));
      assertTrue(way.contains("ingest/tcp/TcpConnection"), "" + way);
      assertTrue(way.contains("broadcast/sockjs/WebsocketTransport"), "" + way);
      assertTrue(way.size() <= MOST_FILES, way.size() + " files, were " + MOST_FILES);
    }
  }

  private static Socket door(GalopProcess node) throws IOException {
    String[] address = node.address("tcp").split(":");
    return new Socket(address[0], Integer.parseInt(address[1]));
  }

  private static WebSocket browser(GalopProcess node, Screen screen) throws Exception {
    URI live = URI.create("ws://" + node.address("http") + "/live/websocket");
    WebSocket browser =
        HttpClient.newHttpClient().newWebSocketBuilder().buildAsync(live, screen).get();
    browser.sendText("{\"type\":\"register\",\"address\":\"" + TOPIC + "\",\"headers\":{}}", true);
    browser.sendText("{\"type\":\"ping\"}", true);
    screen.await("pong");
    return browser;
  }

  private static Set<String> way(Coverage coverage, Socket door, Screen screen) throws Exception {
    BufferedReader answers =
        new BufferedReader(new InputStreamReader(door.getInputStream(), StandardCharsets.UTF_8));
    for (int n = 0; n < WARM_UP; n++) {
      send(n, door, answers, screen);
    }
    coverage.sinceLast();
    Set<String> idle = new TreeSet<>();
    Set<String> way = new TreeSet<>();
    for (int n = WARM_UP; n < WARM_UP + ROUNDS; n++) {
      Thread.sleep(IDLE_MS);
      idle.addAll(coverage.sinceLast());
      send(n, door, answers, screen);
      Set<String> ran = coverage.sinceLast();
      if (n == WARM_UP) {
        way.addAll(ran);
      }
      way.retainAll(ran);
    }
    System.out.println("house: files that timers run: " + idle.size());
    return way;
  }

  /** Sends a record and waits until it is acknowledged and shown. */
  private static void send(int number, Socket door, BufferedReader answers, Screen screen)
      throws Exception {
    String record =
        "{\"topic\":\"%s\",\"id\":\"r%d\",\"data\":{\"n\":%d}}\n".formatted(TOPIC, number, number);
    door.getOutputStream().write(record.getBytes(StandardCharsets.UTF_8));
    String answer = answers.readLine();
    assertTrue(answer.contains("\"acked\":" + (number + 1)), answer);
    screen.await("\"n\":" + number + "}");
  }
}
