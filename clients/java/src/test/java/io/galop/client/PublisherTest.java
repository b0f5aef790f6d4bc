package io.galop.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The publisher at a door that answers what it is told to. */
@Timeout(30)
class PublisherTest {
  private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
  private final List<String> taken = Collections.synchronizedList(new ArrayList<>());
  private HttpServer door;
  private Publisher publisher;

  @BeforeEach
  void start() throws IOException {
    door = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
    door.createContext("/publish", this::answer);
    door.start();
    publisher = Publisher.to("http://127.0.0.1:" + door.getAddress().getPort() + "/", "t");
  }

  @AfterEach
  void stop() {
    door.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    taken.add(exchange.getRequestHeaders().getFirst("Authorization") + " " + body);
    String answer = answers.remove();
    byte[] said = answer.substring(4).getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(Integer.parseInt(answer.substring(0, 3)), said.length);
    exchange.getResponseBody().write(said);
    exchange.close();
  }

  @Test
  void sendsTheSameAgainUntilItIsAcknowledged() throws Exception {
    answers.add("503 of a balancer");
    answers.add(
        "429 {\"accepted\":0,\"rejected\":[{\"line\":1,\"reason\":\"over_quota\",\"detail\":\"d\"}]}");
    answers.add("202 {\"accepted\":1,\"rejected\":[]}");
    assertEquals("a", publisher.publish("x/\"y\"", "{\n\"n\": 2.50\r\n}", "a"));
    assertEquals(3, taken.size());
    assertEquals(1, taken.stream().distinct().count());
    String line = taken.get(0).substring("Bearer t ".length());
    assertEquals("x/\"y\"", Json.object(line).get("topic"));
    assertEquals("{ \"n\": 2.50  }", Message.parse(line).data, "as it was given, in one line");
  }

  @Test
  void saysWhatIsRefusedForGood() {
    answers.add(
        "400 {\"accepted\":0,\"rejected\":[{\"line\":1,\"reason\":\"invalid_topic\",\"detail\":\"d\"}]}");
    FeedException why = assertThrows(FeedException.class, () -> publisher.publish("+", "{}"));
    assertEquals(
        "invalid_topic 400 d (invalid_topic)",
        why.reason() + " " + why.code() + " " + why.getMessage());
    for (String data : List.of("", "[]", "{", "{} {}", "{\"a\":1}x")) {
      assertThrows(IllegalArgumentException.class, () -> publisher.publish("a", data), data);
    }
  }

  @Test
  void givesUpWhenItIsInterrupted() {
    door.stop(0);
    Thread.currentThread().interrupt();
    assertThrows(InterruptedException.class, () -> publisher.publish("a", "{}"));
  }
}
