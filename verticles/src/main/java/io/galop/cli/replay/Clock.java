package io.galop.cli.replay;

import java.util.concurrent.TimeUnit;

/** Time, so that tests need not wait for it. */
interface Clock {
  /** Nanoseconds since some moment. */
  long nanos();

  /** Waits. */
  void sleep(long nanos) throws InterruptedException;

  /** The machine's clock. */
  Clock SYSTEM =
      new Clock() {
        @Override
        public long nanos() {
          return System.nanoTime();
        }

        @Override
        public void sleep(long nanos) throws InterruptedException {
          TimeUnit.NANOSECONDS.sleep(nanos);
        }
      };
}
