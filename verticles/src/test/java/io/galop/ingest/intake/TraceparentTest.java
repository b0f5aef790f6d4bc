package io.galop.ingest.intake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.ingest.OpenDoors;
import io.galop.record.Batch;
import io.galop.record.TraceContext;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which traces a door takes from a header over HTTP. */
@Timeout(180)
class TraceparentTest {
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String SPAN = "00f067aa0ba902b7";
  private static final String SAMPLED = "00-" + TRACE + "-" + SPAN + "-01";

  private final HttpClient client = HttpClient.newHttpClient();

  /** Publishes one record; the Batch that the next stage gets. */
  private Batch published(OpenDoors doors, String... headers) throws Exception {
    int before = doors.taken.size();
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(doors.http("/publish/a")))
            .POST(BodyPublishers.ofString("{}"));
    if (headers.length > 0) {
      request.headers(headers);
    }
    var answer = client.send(request.build(), BodyHandlers.ofString());
    assertEquals("{\"accepted\":1,\"rejected\":[]}", answer.body());
    return doors.taken.get(before);
  }

  private static double invalid(OpenDoors doors) {
    return doors.meters.counter("galop.ingest.traces.invalid", "door", "http").count();
  }

  private static int traces(OpenDoors doors, String outcome) {
    return (int)
        doors.meters.counter("galop.ingest.traces", "door", "http", "outcome", outcome).count();
  }

  @Test
  void aSampledOneGoesWithItsRecord() throws Exception {
    try (OpenDoors doors = new OpenDoors()) {
      doors.node.lateness().traces(reached -> {});
      Batch batch = published(doors, "traceparent", SAMPLED);
      assertEquals(TraceContext.parse(SAMPLED), batch.stamp().trace());
      assertEquals("http", batch.stamp().door());
      assertFalse(published(doors).stamp().isTraced());
      assertEquals(0, invalid(doors));
    }
  }

  @Test
  void oneThatIsNotSampledIsNotTaken() throws Exception {
    try (OpenDoors doors = new OpenDoors()) {
      doors.node.lateness().traces(reached -> {});
      String header = "00-" + TRACE + "-" + SPAN + "-00";
      assertFalse(published(doors, "traceparent", header).stamp().isTraced());
      assertEquals(0, invalid(doors));
      assertEquals(1, traces(doors, "unsampled"));
      assertEquals(0, traces(doors, "left_out"));
    }
  }

  @Test
  void ofSampledOnesOneInSoManyIsTaken() throws Exception {
    try (OpenDoors doors = new OpenDoors("telemetry.sampleEvery=4")) {
      doors.node.lateness().traces(reached -> {});
      int taken = 0;
      for (int number = 1; number <= 16; number++) {
        String header = "00-%030x%02x-%s-01".formatted(0, number, SPAN);
        boolean isTaken = published(doors, "traceparent", header).stamp().isTraced();
        assertEquals(new TraceContext(0, number, 1, 1).isOneIn(4), isTaken, header);
        taken += isTaken ? 1 : 0;
      }
      assertTrue(taken > 0 && taken < 16, taken + " of 16");
      assertEquals(taken, traces(doors, "taken"));
      assertEquals(16 - taken, traces(doors, "left_out"));
      assertEquals(0, traces(doors, "unsampled"));
      assertEquals(0, invalid(doors));
    }
  }

  @Test
  void anInvalidOneIsCountedAndHindersNobody() throws Exception {
    try (OpenDoors doors = new OpenDoors()) {
      doors.node.lateness().traces(reached -> {});
      assertFalse(published(doors, "traceparent", "00-what").stamp().isTraced());
      assertEquals(1, invalid(doors));
    }
  }

  @Test
  void noneIsLookedForWhereNobodyCollectsThem() throws Exception {
    try (OpenDoors doors = new OpenDoors()) {
      assertFalse(published(doors, "traceparent", SAMPLED).stamp().isTraced());
      assertFalse(published(doors, "traceparent", "00-what").stamp().isTraced());
      assertEquals(0, invalid(doors));
    }
  }
}
