package io.galop.ingest.intake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.HeapReading;
import io.galop.cluster.Cluster;
import io.galop.cluster.Member;
import io.galop.config.Role;
import io.galop.ingest.OpenDoors;
import io.galop.record.Record;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the doors of an event loop have in common. */
@Timeout(180)
class IntakeTest {
  private static final int TURNS = 10_000;

  /** A node that is its own owner, until it is not. */
  private static final class Fickle implements Cluster {
    private final Member all = new Member("1", "n", Set.of(Role.values()));
    private final List<Member> owned = List.of(all);
    private final List<Member> orphaned = List.of(new Member("1", "n", Set.of(Role.INGEST)));
    private final int shards;
    private volatile boolean isOrphaned;

    Fickle(int shards) {
      this.shards = shards;
    }

    @Override
    public Member self() {
      return all;
    }

    @Override
    public List<Member> members() {
      return isOrphaned ? orphaned : owned;
    }

    @Override
    public int shards() {
      return shards;
    }

    @Override
    public void onChange(Consumer<List<Member>> listener) {}
  }

  private static void send(Socket socket, int... values) throws IOException {
    StringBuilder lines = new StringBuilder();
    for (int value : values) {
      lines.append("{\"topic\":\"a\",\"data\":{\"v\":").append(value).append("}}\n");
    }
    socket.getOutputStream().write(lines.toString().getBytes(StandardCharsets.UTF_8));
  }

  /** What is behind a refused one must not be stored before that is sent again. */
  @Test
  void whatIsBehindARefusalOfTheSameTurnDoesNotLeave() throws Exception {
    Fickle[] cluster = new Fickle[1];
    try (OpenDoors doors =
            new OpenDoors(
                shards -> cluster[0] = new Fickle(shards),
                "ingest.maxBatchRecords=1",
                "cluster.attemptTimeoutMs=60000",
                "cluster.deadlineMs=1000");
        Socket socket = new Socket("127.0.0.1", doors.port("tcp"))) {
      socket.setSoTimeout(60_000);
      BufferedReader answers =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      doors.stage(batch -> Promise.<Void>promise().future());
      send(socket, 1);
      OpenDoors.await(() -> doors.taken.size() == 1);
      long due = System.nanoTime() + 1_100_000_000L;
      OpenDoors.await(() -> System.nanoTime() - due > 0);
      cluster[0].isOrphaned = true;
      send(socket, 2, 3);
      JsonObject answer = new JsonObject(answers.readLine());
      assertEquals(3, answer.getLong("acked"), answer.encode());
      assertEquals(3, answer.getJsonArray("rejected").size(), answer.encode());
      cluster[0].isOrphaned = false;
      doors.stage(batch -> Future.succeededFuture());
      send(socket, 4);
      assertEquals("{\"acked\":4}", answers.readLine());
      List<String> stored = doors.records().stream().map(OpenDoors::text).toList();
      assertEquals(List.of("{\"v\":1}", "{\"v\":4}"), stored);
    }
  }

  /** Many sensors that send one record each are many turns of one record each. */
  @Test
  void whatWaitsWeighsNoMoreThanIsCounted() throws Exception {
    try (OpenDoors doors =
        new OpenDoors("ingest.maxInFlightBytes=1073741824", "cluster.deadlineMs=15000")) {
      doors.stage(batch -> Promise.<Void>promise().future());
      Context loop = doors.vertx.getOrCreateContext();
      Promise<Intake> made = Promise.promise();
      loop.runOnContext(now -> made.complete(new Intake(doors.vertx, doors.node)));
      Intake intake = made.future().await();
      DoorMeters meters = new DoorMeters(doors.node.meters(), "test");
      long before = HeapReading.settledBytes();
      Promise<Void> done = Promise.promise();
      loop.runOnContext(now -> turn(loop, intake, meters, 0, done));
      done.future().await();
      double counted = doors.meters.get("galop.ingest.in.flight.bytes").gauge().value();
      long held = HeapReading.settledBytes() - before;
      assertTrue(held < counted, held + " bytes are held and " + counted + " counted");
      assertTrue(held > counted / 2, held + " bytes are held and " + counted + " counted");
    }
  }

  private static void turn(
      Context loop, Intake intake, DoorMeters meters, int number, Promise<Void> done) {
    if (number == TURNS) {
      done.complete();
      return;
    }
    byte[] data = ("{\"v\":" + number + "}").getBytes(StandardCharsets.UTF_8);
    Submission one = intake.open(meters, new Rejections(), settled -> {});
    one.accept(new Record("id-" + number, "a", number, data), number % 16, 1);
    one.close();
    loop.runOnContext(next -> turn(loop, intake, meters, number + 1, done));
  }
}
