package io.galop.loadtest.latency;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Buckets as a node tells them, from a real port. */
class NodeLatencyTest {
  private final Deque<String> answers = new ArrayDeque<>();
  private HttpServer server;
  private NodeLatency latency;

  @BeforeEach
  void listen() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/metrics",
        exchange -> {
          String text = answers.poll();
          byte[] body = (text == null ? "" : text).getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(
              text == null ? 503 : 200, body.length == 0 ? -1 : body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    latency = new NodeLatency(new InetSocketAddress("127.0.0.1", server.getAddress().getPort()));
  }

  @AfterEach
  void close() {
    server.stop(0);
  }

  private static String line(String stage, String transport, String upper, int count) {
    return "galop_latency_seconds_bucket{door=\"tcp\",node=\"n1\",stage=\"%s\",transport=\"%s\",le=\"%s\"} %d\n"
        .formatted(stage, transport, upper, count);
  }

  private static String told(int... counts) {
    List<String> uppers = List.of("0.001", "0.002", "0.004", "+Inf");
    StringBuilder text = new StringBuilder("# TYPE galop_latency_seconds histogram\n");
    for (int i = 0; i < counts.length; i++) {
      text.append(line("socket", "websocket", uppers.get(i), counts[i]));
      text.append(line("socket", "polling", uppers.get(i), 9_000 + i));
      text.append(line("fed", "", uppers.get(i), 8_000 + i));
    }
    return text.toString();
  }

  @Test
  void quantilesAreOfTheTimeBetween() throws Exception {
    answers.add(told(1_000, 1_000, 1_000, 1_000));
    answers.add(told(1_050, 1_090, 1_100, 1_100));
    latency.begin();
    latency.end();
    assertEquals(100, latency.records());
    assertEquals(1.0, latency.ms(50), 1e-9);
    assertEquals(1.5, latency.ms(70), 1e-9);
    assertEquals(3.8, latency.ms(99), 1e-9);
  }

  @Test
  void beyondTheLastBoundTheBoundIsSaid() throws Exception {
    answers.add(told(0, 0, 0, 0));
    answers.add(told(0, 0, 1, 100));
    latency.begin();
    latency.end();
    assertEquals(4.0, latency.ms(99), 1e-9);
  }

  @Test
  void nothingObservedIsNoNumber() throws Exception {
    answers.add(told(5, 5, 5, 5));
    answers.add(told(5, 5, 5, 5));
    latency.begin();
    latency.end();
    assertTrue(Double.isNaN(latency.ms(50)));
  }

  @Test
  void aNodeThatDoesNotAnswerFailsTheRun() {
    assertThrows(IOException.class, latency::begin);
  }
}
