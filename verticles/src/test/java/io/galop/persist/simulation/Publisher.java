package io.galop.persist.simulation;

import io.galop.record.Record;
import java.nio.charset.StandardCharsets;

/** Sends records, and each again until it is acknowledged. */
final class Publisher extends Endpoint {
  private static final int MAX_UNACKNOWLEDGED = 4;
  private static final byte[] DATA = "{}".getBytes(StandardCharsets.UTF_8);

  private int sent;
  private int unacknowledged;
  private boolean isEnding;

  Publisher(World world, String id) {
    super(world, id);
  }

  void begin() {
    later(50 + world.random.nextInt(600), this::next);
  }

  /** Sends nothing new. */
  void end() {
    isEnding = true;
  }

  int unacknowledged() {
    return unacknowledged;
  }

  private void next() {
    if (!isEnding) {
      if (unacknowledged < MAX_UNACKNOWLEDGED) {
        publish();
      }
      begin();
    }
  }

  /** One record more. */
  void publish() {
    int number = ++sent;
    unacknowledged++;
    send(new Record(id + "-" + number, "t/" + number % 3, number, DATA));
  }

  private void send(Record record) {
    var to = world.rightful(this);
    if (to.isEmpty()) {
      again(record);
      return;
    }
    world
        .network
        .request(this, to.get(), 1_500, () -> to.get().onPersist(record))
        .onSuccess(
            done -> {
              unacknowledged--;
              world.trace(id, () -> "acknowledged " + record.id() + " by " + to.get().id);
              world.oracle.onAcknowledged(record.id());
            })
        .onFailure(failure -> again(record));
  }

  private void again(Record record) {
    later(100 + world.random.nextInt(400), () -> send(record));
  }
}
