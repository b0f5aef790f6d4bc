package io.galop.ingest.tcp;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.galop.ingest.OpenDoors;
import io.galop.record.Batch;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A connection that has more than its share of the room is read on when that is settled. */
@Tag("slow")
@Timeout(180)
class ConnectionShareTest {
  private static final int LINES = 400;
  private static final int BURST = 70;
  private static final int OTHERS = 200;

  private final Promise<Void> ofOthers = Promise.promise();
  private final Promise<Void> ofOne = Promise.promise();

  /** Lines of a topic, of 1 KB each. */
  private static String lines(String topic, int count) {
    return ("{\"topic\":\"" + topic + "\",\"data\":{\"v\":\"" + "x".repeat(1_000) + "\"}}\n")
        .repeat(count);
  }

  private static double inFlight(OpenDoors doors) {
    return doors.meters.get("galop.ingest.in.flight.bytes").gauge().value();
  }

  private static long count(OpenDoors doors, String topic) {
    return doors.records().stream().filter(record -> record.topic().equals(topic)).count();
  }

  private Future<Void> stage(Batch batch) {
    return batch.records().get(0).topic().equals("one") ? ofOne.future() : ofOthers.future();
  }

  private static Socket sending(OpenDoors doors, String lines) throws IOException {
    Socket socket = new Socket("127.0.0.1", doors.port("tcp"));
    Thread sender =
        new Thread(
            () -> {
              try {
                socket.getOutputStream().write(lines.getBytes(UTF_8));
              } catch (IOException closed) {
                // The test is over.
              }
            });
    sender.setDaemon(true);
    sender.start();
    return socket;
  }

  /** Its own is settled while others hold all: nothing of it comes that would wake it later. */
  @Test
  void itIsReadOnThoughOthersHeldAllWhenItsOwnWasSettled() throws Exception {
    List<Socket> sockets = new ArrayList<>();
    try (OpenDoors doors =
        new OpenDoors("ingest.maxInFlightBytes=1048576", "ingest.maxConnectionBytes=65536")) {
      doors.stage(this::stage);
      sockets.add(sending(doors, lines("other", LINES * 2)));
      OpenDoors.await(() -> inFlight(doors) > 524_288);
      Socket one = sending(doors, lines("one", BURST));
      sockets.add(one);
      OpenDoors.await(() -> count(doors, "one") == BURST);
      one.getOutputStream().write(lines("one", LINES - BURST).getBytes(UTF_8));
      for (int i = 0; i < OTHERS; i++) {
        sockets.add(sending(doors, lines("other", 60)));
      }
      OpenDoors.await(() -> inFlight(doors) > 1_048_576 + 110_000);
      ofOne.complete();
      Thread.sleep(500);
      ofOthers.complete();
      OpenDoors.await(() -> count(doors, "one") == LINES);
    } finally {
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }
}
