package io.galop.ops;

import io.galop.config.persist.LogConfig;
import io.galop.node.Node;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Locale;

/** Whether the Log has room for what comes, and what fills it. */
final class RoomCheck implements Check {
  private static final String PART = "persist.log";
  private static final int SEGMENTS_BEFORE = 2;
  private final Node node;
  private final LogConfig config;
  private final Path directory;

  RoomCheck(Node node) {
    this.node = node;
    this.config = node.config().persist().log();
    this.directory = Path.of(node.config().node().dataDir());
  }

  @Override
  public void look(MeterSums meters) {
    long size = meters.sum("galop.persist.log.size");
    if (meters.sum("galop.persist.log.over.quota") > 0) {
      node.readiness().refuse(PART, "records are refused: " + why(size, 1), advice(meters, size));
    } else if (meters.sum("galop.persist.log.no.room") > 0) {
      node.readiness()
          .warn(
              PART,
              "records are refused when the Log's present segment is full: " + why(size, 1),
              advice(meters, size));
    } else if (isNearQuota(size) || usable() < free(SEGMENTS_BEFORE)) {
      node.readiness()
          .warn(
              PART,
              "soon there is no room for the Log: " + why(size, SEGMENTS_BEFORE),
              advice(meters, size));
    } else {
      node.readiness().calm(PART, "the Log has room again, and records are taken");
    }
  }

  private boolean isNearQuota(long size) {
    long room = Math.max(SEGMENTS_BEFORE * (long) config.segmentBytes(), config.quotaBytes() / 10);
    return size + room > config.quotaBytes()
        && size > config.retentionBytes() + config.segmentBytes();
  }

  /** What has to be free for so many more segments. */
  private long free(int segments) {
    return config.minFreeBytes() + segments * (long) config.segmentBytes();
  }

  private long usable() {
    try {
      return Files.getFileStore(directory).getUsableSpace();
    } catch (IOException e) {
      return Long.MAX_VALUE;
    }
  }

  private String why(long size, int segments) {
    if (usable() < free(segments)) {
      return String.format(
          Locale.ROOT,
          "%,d bytes are free on the disk of %s, and persist.log.minFreeBytes is %,d",
          usable(),
          directory.toAbsolutePath().normalize(),
          config.minFreeBytes());
    }
    return String.format(
        Locale.ROOT,
        "it has %,d bytes, and persist.log.quotaBytes is %,d",
        size,
        config.quotaBytes());
  }

  private String advice(MeterSums meters, long size) {
    if (usable() < free(SEGMENTS_BEFORE)) {
      return "make room on the disk; the node continues by itself";
    }
    String behind =
        meters
            .like("galop.persist.sink.", "lag.bytes")
            .max(Comparator.comparingDouble(lag -> lag.measure().iterator().next().getValue()))
            .filter(lag -> lag.measure().iterator().next().getValue() > size / 4.0)
            .map(lag -> "see to the store " + lag.getId().getTag("sink") + ", which is behind, or ")
            .orElse("");
    return behind + "give the Log more (persist.log.quotaBytes); the node continues by itself";
  }
}
