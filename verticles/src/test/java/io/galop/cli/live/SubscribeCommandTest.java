package io.galop.cli.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.cli.TestConsole;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class SubscribeCommandTest {
  private final TestConsole console = new TestConsole();

  private static String line(String topic, String position) {
    return "{\"topic\":\"%s\",\"pos\":\"%s\",\"id\":\"i\",\"time\":5,\"data\":{\"x\":1.50}}"
        .formatted(topic, position);
  }

  @Test
  void printsRecordsFromBinaryAndTextFramesAndEndsAfterTheCount() {
    try (FakeFeed feed =
        new FakeFeed(
            (message, socket) -> {
              socket.writeBinaryMessage(FakeFeed.record("a/#", "a/b", "1.7-1"));
              socket.writeTextMessage(FakeFeed.record("a/#", "a/c", "2.7-1").toString());
              socket.writeBinaryMessage(FakeFeed.record("a/#", "a/d", "2.7-2"));
            })) {
      int exit =
          console.run(
              "subscribe",
              "a/#",
              "--url",
              feed.url(),
              "--count",
              "2",
              "--snapshot",
              "--since",
              "1.6-3,2.6-9",
              "--mode",
              "latest");
      assertEquals(0, exit, console.err());
      assertEquals(List.of(line("a/b", "1.7-1"), line("a/c", "2.7-1")), console.outLines());
      JsonObject headers =
          new JsonObject()
              .put("since", "1.6-3,2.6-9")
              .put("snapshot", "true")
              .put("mode", "latest");
      assertEquals(
          List.of(
              new JsonObject()
                  .put("type", "register")
                  .put("address", "a/#")
                  .put("headers", headers)),
          feed.received());
    }
  }

  @Test
  void afterALostConnectionItGoesOnWhereItWas() {
    AtomicInteger registered = new AtomicInteger();
    try (FakeFeed feed =
        new FakeFeed(
            (message, socket) -> {
              if (registered.incrementAndGet() == 1) {
                socket.writeBinaryMessage(FakeFeed.record("a", "a", "1.7-1"));
                socket.writeBinaryMessage(FakeFeed.record("a", "a", "1.8-1"));
                socket.writeBinaryMessage(FakeFeed.record("a", "a", "3.7-5"));
                socket.writeTextMessage(
                    "{\"type\":\"live\",\"address\":\"a\",\"pos\":\"0.7-9,3.7-2\",\"body\":{}}");
                socket.writeTextMessage(
                    "{\"type\":\"err\",\"body\":\"shutdown\",\"failureCode\":3001,"
                        + "\"failureType\":\"disconnect\",\"message\":\"come back\"}");
                socket.close();
              } else {
                socket.writeTextMessage(
                    "{\"type\":\"resumed\",\"address\":\"a\",\"complete\":false}");
                socket.writeBinaryMessage(FakeFeed.record("a", "a", "1.8-2"));
              }
            })) {
      assertEquals(0, console.run("subscribe", "a", "--url", feed.url(), "--count", "4"));
      assertEquals(
          "",
          feed.received().get(0).getJsonObject("headers").getString("since"),
          "asks for Positions");
      assertEquals(
          "0.7-9,1.8-1,3.7-5", feed.received().get(1).getJsonObject("headers").getString("since"));
    }
    assertEquals(4, console.outLines().size());
    assertTrue(console.err().contains("trying again"), console.err());
    assertTrue(console.err().contains("a: incomplete"), console.err());
  }

  @Test
  void saysWhenTheFeedIsStaleAndFreshAgainAndCapped() {
    try (FakeFeed feed =
        new FakeFeed(
            (message, socket) -> {
              socket.writeTextMessage("{\"type\":\"stale\",\"address\":\"a\"}");
              socket.writeTextMessage("{\"type\":\"fresh\",\"address\":\"a\"}");
              String pace = "{\"type\":\"capped\",\"address\":\"a\",\"body\":{\"maxRate\":2}}";
              socket.writeTextMessage(pace);
              socket.writeBinaryMessage(FakeFeed.record("a", "a", "1.7-1"));
            })) {
      assertEquals(0, console.run("subscribe", "a", "--url", feed.url(), "--count", "1"));
    }
    String capped = "a: the node sends what its caps allow: {\"maxRate\":2}";
    assertEquals(
        List.of("a: stale, the source is not reachable", "a: fresh again", capped),
        console.err().lines().toList());
  }

  @Test
  void aRefusalOfTheNodeEndsIt() {
    try (FakeFeed feed =
        new FakeFeed(
            (message, socket) ->
                socket.writeTextMessage(
                    "{\"type\":\"err\",\"body\":\"access_denied\",\"message\":\"not for you\"}"))) {
      assertEquals(1, console.run("subscribe", "a", "--url", feed.url()));
    }
    assertTrue(console.err().contains("the node refuses: not for you"), console.err());
  }

  @Test
  void wrongFiltersAndPositionsAreWrongUsage() {
    assertEquals(2, console.run("subscribe", "a/#/b"));
    assertEquals(2, console.run("subscribe", "a", "--since", "17"));
    assertTrue(console.err().contains("'17' is no position"), console.err());
  }

  @Test
  void withoutANodeItSaysSo() {
    assertEquals(1, console.run("subscribe", "a", "--url", "http://127.0.0.1:1"));
    assertTrue(console.err().contains("no live feed at http://127.0.0.1:1"), console.err());
  }

  @Test
  void aMessageWithoutATypeIsPassedOver() {
    try (FakeFeed feed =
        new FakeFeed(
            (message, socket) -> {
              socket.writeTextMessage("{\"type\":null,\"address\":null}");
              socket.writeBinaryMessage(FakeFeed.record("a", "a", "1.7-1"));
            })) {
      assertEquals(0, console.run("subscribe", "a", "--url", feed.url(), "--count", "1"));
      assertEquals(1, feed.received().size(), "one connection");
    }
  }
}
