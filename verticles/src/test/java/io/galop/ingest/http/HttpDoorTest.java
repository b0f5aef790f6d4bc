package io.galop.ingest.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.bus.Refusal;
import io.galop.ingest.OpenDoors;
import io.galop.ingest.intake.Rejections;
import io.galop.record.Record;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class HttpDoorTest {
  private static final String JSON = "application/json";
  private static final String NDJSON = "application/x-ndjson";
  private static final String LINE = "{\"topic\":\"a/b\",\"data\":{\"v\":1}}";

  private final HttpClient client = HttpClient.newHttpClient();

  @Test
  void keepsTheDataAsItIsButOnOneLine() throws Exception {
    try (OpenDoors doors = new OpenDoors()) {
      long before = System.currentTimeMillis() * 1000;
      var answer = post(doors, "/publish/race/1.2/r%C3%A4cer", JSON, " {\n \"odds\" : 3.5\r\n}\n");
      assertEquals(202, answer.statusCode());
      assertEquals("{\"accepted\":1,\"rejected\":[]}", answer.body());
      Record record = doors.records().get(0);
      assertEquals("race/1.2/räcer", record.topic());
      assertEquals("{  \"odds\" : 3.5  }", OpenDoors.text(record));
      assertTrue(record.timeUs() >= before && record.timeUs() < before + 10_000_000);
      assertFalse(record.id().isEmpty());
    }
  }

  @Test
  void tellsWhichLinesAreRejectedAndTakesTheOthers() throws Exception {
    try (OpenDoors doors = new OpenDoors("ingest.limits.maxDataBytes=16")) {
      String body =
          "{\"topic\":\"a\",\"data\":{},\"id\":\"one\",\"time\":7}\n"
              + "{\"topic\":\"a\",\"data\":{\n"
              + "\n"
              + "{\"topic\":\"$dead/x\",\"data\":{}}\n"
              + "{\"topic\":\"a\",\"data\":{\"v\":\"0123456789\"}}\n"
              + "{\"topic\":\"a\",\"data\":{}}";
      var answer = post(doors, "/publish", NDJSON, body);
      assertEquals(202, answer.statusCode());
      assertEquals(
          "{\"accepted\":2,\"rejected\":["
              + "{\"line\":2,\"reason\":\"malformed\",\"detail\":"
              + "\"field 'data': the line is cut off at byte 22; send valid JSON\"},"
              + "{\"line\":4,\"reason\":\"topic_not_allowed\",\"detail\":\"topic '$dead/x' starts"
              + " with '$', which is kept for Galop's own topics; publish to another\"},"
              + "{\"line\":5,\"reason\":\"too_large\",\"detail\":\"field 'data' has 18 bytes, more"
              + " than the 16 allowed; send less, or raise ingest.limits.maxDataBytes\"}]}",
          answer.body());
      assertEquals("one", doors.records().get(0).id());
      assertEquals(7, doors.records().get(0).timeUs());
    }
  }

  @Test
  void answersOnlyWhenTheRecordsAreAcknowledged() throws Exception {
    try (OpenDoors doors = new OpenDoors()) {
      Promise<Void> acknowledged = Promise.promise();
      doors.stage(batch -> acknowledged.future());
      CompletableFuture<HttpResponse<String>> answer =
          client.sendAsync(
              request(doors, "/publish", NDJSON, LINE).build(), BodyHandlers.ofString());
      OpenDoors.await(() -> !doors.taken.isEmpty());
      Thread.sleep(100); // for an answer that must not come there is no condition to wait for
      assertFalse(answer.isDone());
      acknowledged.complete();
      assertEquals(202, answer.get().statusCode());
    }
  }

  @Test
  void answers429OverQuotaAnd503WhenNobodyTakesRecords() throws Exception {
    try (OpenDoors doors = new OpenDoors()) {
      doors.stage(batch -> Future.failedFuture(new Refusal(Refusal.Why.OVER_QUOTA, "full")));
      var full = post(doors, "/publish/a", JSON, "{}");
      assertEquals(429, full.statusCode());
      assertEquals("1", full.headers().firstValue("Retry-After").orElse(""));
      assertEquals(
          "{\"accepted\":0,\"rejected\":[{\"line\":1,\"reason\":\"over_quota\",\"detail\":"
              + "\"the disk quota is reached; send the record again later\"}]}",
          full.body());
      doors.stage(batch -> Future.failedFuture(new Refusal(Refusal.Why.BAD_REQUEST, "no")));
      var down = post(doors, "/publish/a", JSON, "{}");
      assertEquals(503, down.statusCode());
      assertEquals("unavailable", rejected(down, 0).getString("reason"));
    }
  }

  @Test
  void namesTheLinesOfTheShardThatIsOverQuota() throws Exception {
    try (OpenDoors doors = new OpenDoors()) {
      int full = io.galop.record.Topic.shard("t3", 16);
      doors.stage(
          batch ->
              batch.shard() == full
                  ? Future.failedFuture(new Refusal(Refusal.Why.OVER_QUOTA, "full"))
                  : Future.succeededFuture());
      StringBuilder body = new StringBuilder();
      int lost = 0;
      for (int i = 1; i <= 40; i++) {
        body.append("{\"topic\":\"t").append(i).append("\",\"data\":{}}\n");
        lost += io.galop.record.Topic.shard("t" + i, 16) == full ? 1 : 0;
      }
      var answer = post(doors, "/publish", NDJSON, body.toString());
      assertEquals(202, answer.statusCode());
      assertEquals(40 - lost, new JsonObject(answer.body()).getInteger("accepted"));
      assertTrue(answer.body().contains("\"line\":3,\"reason\":\"over_quota\""), answer.body());
    }
  }

  @Test
  void refusesWhatItCannotRead() throws Exception {
    try (OpenDoors doors = new OpenDoors("ingest.http.maxBodyBytes=1024")) {
      assertEquals(400, post(doors, "/publish", NDJSON, "").statusCode());
      assertEquals(400, post(doors, "/publish", NDJSON, "x\ny\n").statusCode());
      assertEquals(400, post(doors, "/publish/a", JSON, "[1]").statusCode());
      assertEquals(400, post(doors, "/publish/a", JSON, "{} {}").statusCode());
      assertEquals(400, post(doors, "/publish/a%FF", JSON, "{}").statusCode());
      assertEquals(400, post(doors, "/publish/a//b", JSON, "{}").statusCode());
      var large = post(doors, "/publish", NDJSON, "x".repeat(1025));
      assertEquals(413, large.statusCode());
      assertEquals(
          "the body is larger than the 1024 bytes of ingest.http.maxBodyBytes; send it in parts",
          new JsonObject(large.body()).getString("error"));
      var form = post(doors, "/publish/a", "application/x-www-form-urlencoded", "{}");
      assertEquals(415, form.statusCode());
      assertTrue(form.body().contains("send application/json for one object"), form.body());
      var get =
          client.send(
              HttpRequest.newBuilder(URI.create(doors.http("/publish/a"))).build(),
              BodyHandlers.ofString());
      assertEquals(405, get.statusCode());
      assertEquals("POST", get.headers().firstValue("Allow").orElse(""));
      assertTrue(doors.taken.isEmpty());
    }
  }

  /** The router reads these as /publish; the topic would begin at another place. */
  @Test
  void publishesNothingOnATopicThatTheAddressDoesNotName() throws Exception {
    try (OpenDoors doors = new OpenDoors()) {
      for (String path : List.of("/./publish", "/x/../publish", "/%70ublish", "///publish")) {
        var answer = post(doors, path + "/a/b", JSON, "{}");
        assertEquals(404, answer.statusCode(), path);
        assertEquals(
            "the path is to begin with /publish as it is",
            new JsonObject(answer.body()).getString("error"));
      }
      assertTrue(doors.taken.isEmpty());
      assertEquals(202, post(doors, "//publish", NDJSON, LINE).statusCode());
    }
  }

  @Test
  void answers413ForAnObjectThatIsTooLarge() throws Exception {
    try (OpenDoors doors = new OpenDoors("ingest.limits.maxDataBytes=16")) {
      assertEquals(413, post(doors, "/publish/a", JSON, "{\"v\":\"0123456789\"}").statusCode());
      assertEquals(
          413,
          post(doors, "/publish/a", JSON, "{\"v\":\"" + "0".repeat(9000) + "\"}").statusCode());
    }
  }

  @Test
  void takesNothingFromAClientThatGoesBeforeTheEnd() throws Exception {
    try (OpenDoors doors = new OpenDoors()) {
      try (java.net.Socket socket =
          new java.net.Socket("127.0.0.1", URI.create(doors.http("/")).getPort())) {
        String head =
            "POST /publish HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n" + LINE + "\n";
        socket.getOutputStream().write(head.getBytes(StandardCharsets.UTF_8));
      }
      assertEquals(202, post(doors, "/publish", NDJSON, LINE).statusCode());
      assertEquals(1, doors.records().size());
      OpenDoors.await(() -> doors.meters.get("galop.ingest.in.flight.bytes").gauge().value() == 0);
    }
  }

  @Test
  void asksForTheToken() throws Exception {
    try (OpenDoors doors = new OpenDoors("ingest.token=s3cret")) {
      var none = post(doors, "/publish", NDJSON, LINE);
      assertEquals(401, none.statusCode());
      assertEquals("Bearer", none.headers().firstValue("WWW-Authenticate").orElse(""));
      assertEquals(401, bearer(doors, "s3cre").statusCode());
      assertEquals(202, bearer(doors, "s3cret").statusCode());
    }
  }

  @Test
  void takesNothingFromPagesOfOtherSites() throws Exception {
    try (OpenDoors doors = new OpenDoors()) {
      var foreign =
          request(doors, "/publish", NDJSON, LINE).header("Origin", "https://elsewhere.example");
      assertEquals(403, client.send(foreign.build(), BodyHandlers.ofString()).statusCode());
      String self = doors.http("");
      var suffix =
          request(doors, "/publish", NDJSON, LINE)
              .header("Origin", "https://a.example" + self.substring(self.indexOf("//")));
      assertEquals(403, client.send(suffix.build(), BodyHandlers.ofString()).statusCode());
      var own = request(doors, "/publish", NDJSON, LINE).header("Origin", self);
      assertEquals(202, client.send(own.build(), BodyHandlers.ofString()).statusCode());
    }
  }

  private HttpResponse<String> bearer(OpenDoors doors, String token) throws Exception {
    return client.send(
        request(doors, "/publish", NDJSON, LINE).header("Authorization", "Bearer " + token).build(),
        BodyHandlers.ofString());
  }

  @Test
  void unpacksGzipWithinLimits() throws Exception {
    try (OpenDoors doors = new OpenDoors("ingest.http.maxInflatedBytes=200000")) {
      assertEquals(202, gzipped(doors, gzip((LINE + "\n").repeat(2000))).statusCode());
      assertEquals(2000, doors.records().size());
      var bomb = gzipped(doors, gzip(" ".repeat(50_000_000)));
      assertEquals(413, bomb.statusCode());
      assertTrue(bomb.body().contains("ingest.http.maxInflatedBytes"), bomb.body());
      byte[] cut = java.util.Arrays.copyOf(gzip(LINE), 30);
      assertEquals(400, gzipped(doors, cut).statusCode());
      byte[] spoilt = gzip(LINE);
      spoilt[spoilt.length - 6] ^= 1;
      assertEquals(400, gzipped(doors, spoilt).statusCode());
      assertEquals(400, gzipped(doors, LINE.getBytes(StandardCharsets.UTF_8)).statusCode());
      assertEquals(2000, doors.records().size());
    }
  }

  @Test
  void refusesARatioOfPackingThatNoHonestBodyHas() throws Exception {
    try (OpenDoors doors = new OpenDoors("ingest.http.maxInflateRatio=20")) {
      assertEquals(413, gzipped(doors, gzip(" ".repeat(1_000_000))).statusCode());
      assertEquals(202, gzipped(doors, gzip(LINE + " ".repeat(40_000))).statusCode());
    }
  }

  @Test
  void refusesWhenTooMuchIsInFlight() throws Exception {
    try (OpenDoors doors = new OpenDoors("ingest.maxInFlightBytes=65536")) {
      Promise<Void> acknowledged = Promise.promise();
      doors.stage(batch -> acknowledged.future());
      var first =
          client.sendAsync(
              request(doors, "/publish", NDJSON, (LINE + "\n").repeat(1000)).build(),
              BodyHandlers.ofString());
      OpenDoors.await(() -> !doors.taken.isEmpty());
      var second = post(doors, "/publish", NDJSON, LINE);
      assertEquals(429, second.statusCode());
      assertEquals("1", second.headers().firstValue("Retry-After").orElse(""));
      acknowledged.complete();
      assertEquals(202, first.get().statusCode());
      assertEquals(202, post(doors, "/publish", NDJSON, LINE).statusCode());
    }
  }

  @Test
  void listsNoMoreRejectionsThanItHasTo() throws Exception {
    try (OpenDoors doors = new OpenDoors()) {
      JsonObject answer =
          new JsonObject(post(doors, "/publish", NDJSON, "x\n".repeat(5000)).body());
      assertEquals(Rejections.LISTED, answer.getJsonArray("rejected").size());
      assertEquals(4000, answer.getInteger("more"));
    }
  }

  private static JsonObject rejected(HttpResponse<String> answer, int index) {
    return new JsonObject(answer.body()).getJsonArray("rejected").getJsonObject(index);
  }

  private HttpRequest.Builder request(OpenDoors doors, String path, String type, String body) {
    return HttpRequest.newBuilder(URI.create(doors.http(path)))
        .header("Content-Type", type)
        .POST(BodyPublishers.ofString(body));
  }

  private HttpResponse<String> post(OpenDoors doors, String path, String type, String body)
      throws Exception {
    return client.send(request(doors, path, type, body).build(), BodyHandlers.ofString());
  }

  private HttpResponse<String> gzipped(OpenDoors doors, byte[] body) throws Exception {
    return client.send(
        HttpRequest.newBuilder(URI.create(doors.http("/publish")))
            .header("Content-Encoding", "gzip")
            .POST(BodyPublishers.ofByteArray(body))
            .build(),
        BodyHandlers.ofString());
  }

  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toByteArray();
  }
}
