package io.galop.loadtest.inject;

import io.galop.loadtest.scenario.Injection;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The ring door: records in memory that the node maps too. */
final class RingLane extends InjectionLane {
  private static final int MOST_AT_ONCE = 1_024;
  private static final int SPINS = 100;
  private static final long FULL_NANOS = TimeUnit.MICROSECONDS.toNanos(50);
  private static final long HEAR_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

  private final RingClient ring;
  private final Template template;
  private final byte[] both;
  private final byte[] topic = new byte[Template.topicBytes()];
  private final byte[] data;
  private final CountDownLatch heard = new CountDownLatch(1);
  private volatile boolean isClosed;

  RingLane(RingClient ring, Injection plan) {
    super(new Ledger());
    this.ring = ring;
    template = Template.of("", "", "", plan);
    both = new byte[template.length()];
    data = new byte[template.length() - topic.length];
  }

  @Override
  int mostAtOnce() {
    return MOST_AT_ONCE;
  }

  @Override
  void send(ScheduleShare share) throws IOException {
    for (int i = 0; i < share.count(); i++) {
      long due = share.dueNanos(i);
      ledger().onSend(due);
      template.write(share.number(i), due, both, 0);
      System.arraycopy(both, 0, topic, 0, topic.length);
      System.arraycopy(both, topic.length, data, 0, data.length);
      offer();
    }
  }

  /** Waits while the ring is full. */
  private void offer() throws IOException {
    for (int tries = 0; !ring.offer(topic, data); tries++) {
      if (isClosed) {
        throw new IOException("the ring is closed");
      }
      if (tries < SPINS) {
        Thread.onSpinWait();
      } else {
        LockSupport.parkNanos(FULL_NANOS);
      }
    }
  }

  @Override
  void hear() throws IOException {
    try {
      while (!isClosed) {
        long settled = ring.settled();
        if (settled > ledger().acked()) {
          // Rejections are told before what they are about is settled.
          ring.countRejections(ledger()::onRefused);
          ledger().onAcked(settled);
        } else {
          LockSupport.parkNanos(HEAR_NANOS);
        }
      }
    } finally {
      // Here, since nobody may look into memory that is mapped no more.
      ring.close();
      heard.countDown();
    }
  }

  @Override
  public void close() throws IOException {
    isClosed = true;
    try {
      heard.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
