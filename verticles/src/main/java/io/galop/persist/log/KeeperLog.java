package io.galop.persist.log;

import io.galop.jvm.ErrorText;
import io.galop.jvm.OpenFiles;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says why the Log cannot be tended, the same once a minute at most. For one thread. */
final class KeeperLog {
  private static final Logger LOG = LoggerFactory.getLogger(KeeperLog.class);
  private static final long EVERY_NS = TimeUnit.MINUTES.toNanos(1);

  private final OpenFiles files;
  private String said = "";
  private long saidNs;

  KeeperLog(OpenFiles files) {
    this.files = files;
  }

  static KeeperLog ofProcess() {
    return new KeeperLog(OpenFiles.ofProcess());
  }

  /** Notes a failure at a time of {@link System#nanoTime}; only a bug has its stack. */
  void failed(Exception failure, long nowNs) {
    String why = ErrorText.of(failure);
    if (why.equals(said) && nowNs - saidNs < EVERY_NS) {
      LOG.debug("maintenance of the Log failed again", failure);
      return;
    }
    said = why;
    saidNs = nowNs;
    if (failure instanceof IOException) {
      LOG.error("maintenance of the Log failed; trying again: {}{}", why, files.advice(why));
    } else {
      LOG.error("maintenance of the Log failed; trying again", failure);
    }
  }
}
