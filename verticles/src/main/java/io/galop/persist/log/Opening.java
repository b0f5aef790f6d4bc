package io.galop.persist.log;

import io.galop.config.persist.LogConfig;
import io.galop.node.Readiness;
import io.galop.persist.log.file.Disk;
import io.galop.persist.log.file.FileDisk;
import io.galop.persist.log.file.LogException;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.file.Path;

/** Puts a Log together: the files, and the threads that write and tend them. */
final class Opening {
  /** The disk of the machine. */
  static final Disk FILES = new FileDisk();

  private final Path directory;
  private final LogConfig config;
  private final int shards;
  private final LogMetrics metrics;
  private final MeterRegistry meters;
  private final LogHealth health;
  private final Disk disk;

  Opening(
      Path directory,
      LogConfig config,
      int shards,
      MeterRegistry meters,
      Readiness readiness,
      Disk disk) {
    this.directory = directory;
    this.config = config;
    this.shards = shards;
    this.metrics = new LogMetrics(meters);
    this.meters = meters;
    this.health = new LogHealth(readiness);
    this.disk = disk;
  }

  OpenLog run() {
    health.recovering();
    try {
      return start(LogFiles.open(directory, config, shards, disk));
    } catch (IOException e) {
      throw new LogException("the Log in " + directory + " cannot be opened", e);
    }
  }

  /** Another may open the files when this one could not, but never beside threads of this one. */
  private OpenLog start(LogFiles files) throws IOException {
    OpenLog open;
    try {
      open = startThreads(files);
    } catch (RuntimeException e) {
      files.lock().close();
      throw e;
    }
    try {
      open.watch(meters, 2L * config.queueBytes());
      health.open();
      return open;
    } catch (RuntimeException e) {
      open.close();
      throw e;
    }
  }

  private OpenLog startThreads(LogFiles files) {
    metrics.damaged.increment(files.recovery().damages().size());
    AppendQueue queue = new AppendQueue();
    Durable durable = new Durable();
    LogWriter writer = new LogWriter(queue, files.out(), files.extent(), durable, metrics, health);
    Retention retention = new Retention(files.segments(), files.extent(), config);
    Thread thread = new Thread(writer, "galop-log-writer");
    thread.setDaemon(true);
    thread.start();
    Presence presence = new Presence(files.segments(), files.spare(), queue, metrics, health);
    Keeper keeper = new Keeper(retention, presence, files.spare());
    return new OpenLog(files, retention, keeper, queue, durable, writer, thread, metrics);
  }
}
