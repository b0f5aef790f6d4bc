package io.galop.ingest.poll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.bus.Refusal;
import io.galop.config.ConfigYaml;
import io.galop.ingest.BackEnd;
import io.galop.ingest.OpenDoors;
import io.galop.ingest.VisitedCluster;
import io.galop.record.Record;
import io.galop.servers.TlsFront;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
@Timeout(180)
class PollDoorTest {
  private static final String EACH = "topic: 'r/{id}'";
  @TempDir private Path directory;
  private final BackEnd backEnd = new BackEnd();

  private OpenDoors doors(String settings) {
    return doors(backEnd.url("/x"), settings);
  }

  private static OpenDoors doors(String url, String settings) {
    String source =
        "{name: s, url: '%s', intervalMs: 50, maxBackoffMs: 100, %s}".formatted(url, settings);
    return new OpenDoors("ingest.poll.sources=[" + source + "]");
  }

  private static String records(OpenDoors doors) {
    return doors.records().stream()
        .map(record -> record.topic() + OpenDoors.text(record))
        .collect(Collectors.joining(" "));
  }

  private static void await(OpenDoors doors, String records) throws InterruptedException {
    try {
      OpenDoors.await(() -> records(doors).equals(records));
    } catch (AssertionError e) {
      assertEquals(records, records(doors));
    }
  }

  private static double count(OpenDoors doors, String what, String outcome) {
    return doors
        .meters
        .get("galop.ingest.poll." + what)
        .tag("source", "s")
        .tag("outcome", outcome)
        .counter()
        .count();
  }

  @Test
  void onlyChangesBecomeRecords() throws Exception {
    backEnd.gives("[{\"id\":1,\"v\":1},{\"id\":2,\"v\":1}]");
    try (OpenDoors doors = doors(EACH)) {
      await(doors, "r/1{\"id\":1,\"v\":1} r/2{\"id\":2,\"v\":1}");
      backEnd.awaitMore(4);
      backEnd.gives("[{\"v\":1,\"id\":1},{\"id\":2,\"v\":2},{\"no\":0}]");
      await(doors, "r/1{\"id\":1,\"v\":1} r/2{\"id\":2,\"v\":1} r/2{\"id\":2,\"v\":2}");
      backEnd.gives("[]");
      OpenDoors.await(() -> count(doors, "items", "gone") == 2);
      assertEquals(2, count(doors, "requests", "changed"));
      assertTrue(count(doors, "requests", "unchanged") >= 3);
      assertTrue(count(doors, "items", "refused") >= 1);
      assertEquals(3, count(doors, "items", "changed"));
      assertEquals(3, doors.records().stream().map(Record::id).distinct().count());
      assertTrue(doors.meters.get("galop.ingest.poll.age.seconds").gauge().value() < 10);
    } finally {
      backEnd.close();
    }
  }

  @Test
  void tellsWhatIsGoneWhereItIsAskedTo() throws Exception {
    backEnd.gives("[{\"id\":1},{\"id\":2}]");
    try (OpenDoors doors = doors(EACH + ", onGone: record")) {
      await(doors, "r/1{\"id\":1} r/2{\"id\":2}");
      backEnd.gives("[{\"id\":2}]");
      await(doors, "r/1{\"id\":1} r/2{\"id\":2} r/1{\"gone\":true}");
      backEnd.awaitMore(3);
      backEnd.gives("[{\"id\":1},{\"id\":2}]");
      await(doors, "r/1{\"id\":1} r/2{\"id\":2} r/1{\"gone\":true} r/1{\"id\":1}");
    } finally {
      backEnd.close();
    }
  }

  @Test
  void asksWhetherAnythingHasChanged() throws Exception {
    backEnd.answers(
        request -> {
          if ("\"1\"".equals(request.getHeader("If-None-Match"))) {
            request.response().setStatusCode(304).end();
          } else {
            request
                .response()
                .putHeader("ETag", "\"1\"")
                .putHeader("Last-Modified", "Sat, 21 Nov 2026 10:00:00 GMT")
                .end("{\"id\":1}");
          }
        });
    try (OpenDoors doors = doors(EACH)) {
      OpenDoors.await(() -> count(doors, "requests", "unchanged") >= 3);
      assertEquals("r/1{\"id\":1}", records(doors));
      assertEquals("GET /x", backEnd.seen.get(0));
      assertEquals(
          "GET /x If-None-Match=\"1\" If-Modified-Since=Sat, 21 Nov 2026 10:00:00 GMT",
          backEnd.seen.get(1));
    } finally {
      backEnd.close();
    }
  }

  /** Each of these fails, is counted, changes nothing, and is over as soon as it is over. */
  @Test
  void goesOnAfterEveryKindOfFailure() throws Exception {
    String huge = "[\"" + "x".repeat(100_000) + "\"]";
    List<Consumer<HttpServerRequest>> failures =
        List.of(
            request -> request.response().setStatusCode(500).end("[]"),
            request -> request.response().setStatusCode(302).putHeader("Location", "/other").end(),
            request -> BackEnd.json(request, "[{\"id\":1},"),
            request -> BackEnd.json(request, huge),
            request -> request.connection().close(),
            request ->
                request
                    .response()
                    .putHeader("Content-Length", "50")
                    .write("[{\"id\":9}")
                    .onComplete(written -> request.connection().close()),
            request -> {}, // no answer at all
            request -> request.response().setChunked(true).write("[")); // and never the rest
    backEnd.gives("[{\"id\":1}]");
    try (OpenDoors doors = doors(EACH + ", maxBytes: 20000, timeoutMs: 300, onGone: record")) {
      await(doors, "r/1{\"id\":1}");
      for (Consumer<HttpServerRequest> failure : failures) {
        double before = count(doors, "requests", "failed");
        backEnd.answers(failure);
        OpenDoors.await(() -> count(doors, "requests", "failed") >= before + 2);
        double unchanged = count(doors, "requests", "unchanged");
        backEnd.gives("[{\"id\":1}]");
        OpenDoors.await(() -> count(doors, "requests", "unchanged") > unchanged);
      }
      assertEquals("r/1{\"id\":1}", records(doors));
      assertFalse(backEnd.seen.toString().contains("/other"), "a redirect is not followed");
    } finally {
      backEnd.close();
    }
  }

  @Test
  void hasOneRequestAtATime() throws Exception {
    backEnd.delay(150);
    try (OpenDoors doors = doors(EACH)) {
      backEnd.awaitMore(4);
      assertEquals(1, backEnd.mostAtOnce.get());
      assertTrue(doors.meters.get("galop.ingest.poll.asking").gauge().value() == 1);
    } finally {
      backEnd.close();
    }
  }

  @Test
  void speaksSoapWithSecretsThatAreNotPrinted() throws Exception {
    Path file = Files.writeString(directory.resolve("key"), "from-file\n");
    String settings =
        "format: xml, method: post, body: '<e/>', soapAction: urn:get, topic: 'r/{id}',"
            + " items: /e/r, numbers: [odds], headers: [{name: Authorization, value: secret-1},"
            + " {name: X-Key, valueFile: '"
            + file
            + "'}]";
    backEnd.answers(request -> request.response().end("<e><r><id>1</id><odds>2.5</odds></r></e>"));
    try (OpenDoors doors = doors(settings)) {
      await(doors, "r/1{\"id\":\"1\",\"odds\":2.5}");
      assertEquals(
          "POST /x Content-Type=text/xml; charset=utf-8 SOAPAction=\"urn:get\""
              + " Authorization=secret-1 X-Key=from-file <e/>",
          backEnd.seen.get(0));
      Files.writeString(file, "changed\n");
      OpenDoors.await(() -> backEnd.seen.get(backEnd.seen.size() - 1).contains("X-Key=changed"));
      assertFalse(ConfigYaml.print(doors.node.config()).contains("secret-1"));
    } finally {
      backEnd.close();
    }
  }

  @Test
  void publishesAgainUnderTheSameIdWhatIsNotTaken() throws Exception {
    Refusal away = new Refusal(Refusal.Why.OVER_QUOTA, "full");
    int[] calls = new int[1];
    try (OpenDoors doors = doors(EACH)) {
      doors.stage(batch -> calls[0]++ < 2 ? Future.failedFuture(away) : Future.succeededFuture());
      backEnd.answers(request -> request.response().putHeader("ETag", "\"1\"").end("[{\"id\":1}]"));
      OpenDoors.await(() -> backEnd.seen.toString().contains("If-None-Match"));
      List<String> ids = doors.records().stream().map(Record::id).distinct().toList();
      assertEquals(1, ids.size(), ids.toString());
      assertTrue(count(doors, "requests", "failed") >= 1);
    } finally {
      backEnd.close();
    }
  }

  @Test
  void believesTheServersOfTheConfiguredAuthorityOnly() throws Exception {
    backEnd.gives("[{\"id\":1}]");
    try (TlsFront front = new TlsFront(directory, backEnd.port())) {
      String url = "https://localhost:" + front.port() + "/x";
      try (OpenDoors doors = doors(url, EACH + ", tls: {caFile: '" + front.certificate() + "'}")) {
        await(doors, "r/1{\"id\":1}");
      }
      Path other = TlsFront.certify(directory, "other");
      try (OpenDoors doors = doors(url, EACH + ", tls: {caFile: '" + other + "'}")) {
        OpenDoors.await(() -> count(doors, "requests", "failed") >= 2);
        assertEquals("", records(doors));
      }
    } finally {
      backEnd.close();
    }
  }

  @Test
  void whatAnotherNodeMayHavePublishedMeanwhileIsPublishedAnew() throws Exception {
    backEnd.answers(
        request -> {
          boolean isKnown = request.getHeader("If-None-Match") != null;
          request.response().putHeader("ETag", "\"1\"").setStatusCode(isKnown ? 304 : 200);
          request.response().end(isKnown ? "" : "[{\"id\":1}]");
        });
    VisitedCluster[] cluster = new VisitedCluster[1];
    String source =
        "ingest.poll.sources=[{name: s, url: '%s', intervalMs: 50, %s}]"
            .formatted(backEnd.url("/x"), EACH);
    try (OpenDoors doors =
        new OpenDoors(shards -> cluster[0] = new VisitedCluster(shards), source)) {
      await(doors, "r/1{\"id\":1}");
      backEnd.awaitMore(3);
      cluster[0].visit();
      await(doors, "r/1{\"id\":1} r/1{\"id\":1}");
      backEnd.awaitMore(3);
      assertEquals(2, doors.records().size());
    } finally {
      backEnd.close();
    }
  }

  /** A server that says that nothing has changed must not be believed while something waits. */
  @Test
  void whatHadNoRoomIsTakenWhenThereIs() throws Exception {
    String[] now = {"[{\"id\":1},{\"id\":2},{\"id\":3}]"};
    backEnd.answers(
        request -> {
          String tag = "\"" + now[0].hashCode() + "\"";
          if (tag.equals(request.getHeader("If-None-Match"))) {
            request.response().setStatusCode(304).end();
          } else {
            request.response().putHeader("ETag", tag).end(now[0]);
          }
        });
    try (OpenDoors doors = doors(EACH + ", maxTopics: 2, onGone: record")) {
      await(doors, "r/1{\"id\":1} r/2{\"id\":2}");
      now[0] = "[{\"id\":1},{\"id\":3}]";
      await(doors, "r/1{\"id\":1} r/2{\"id\":2} r/2{\"gone\":true} r/3{\"id\":3}");
      int asked = backEnd.seen.size();
      OpenDoors.await(
          () -> backEnd.seen.subList(asked, backEnd.seen.size()).toString().contains("None-Match"));
    } finally {
      backEnd.close();
    }
  }

  @Test
  void memoryIsBounded() throws Exception {
    backEnd.gives("[{\"id\":1},{\"id\":2},{\"id\":3}]");
    try (OpenDoors doors = doors(EACH + ", maxTopics: 2")) {
      await(doors, "r/1{\"id\":1} r/2{\"id\":2}");
      OpenDoors.await(() -> count(doors, "items", "over_limit") >= 2);
      assertEquals(2, doors.meters.get("galop.ingest.poll.topics").gauge().value());
    } finally {
      backEnd.close();
    }
  }
}
