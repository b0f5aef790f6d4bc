package io.galop.persist.log;

import io.galop.node.Readiness;

/** What the Log says of itself where the node's readiness is gathered. From any thread. */
final class LogHealth {
  private static final String PART = "log";
  private final Readiness readiness;

  LogHealth(Readiness readiness) {
    this.readiness = readiness;
  }

  void recovering() {
    readiness.unready(PART, "the Log is being recovered");
  }

  void open() {
    readiness.ready(PART);
  }

  void failed(String why) {
    readiness.unready(PART, why);
  }

  void damaged(String what) {
    readiness.warn(PART, what);
  }
}
