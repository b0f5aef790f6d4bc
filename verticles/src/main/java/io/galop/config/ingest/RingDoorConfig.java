package io.galop.config.ingest;

import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;
import java.util.HashSet;
import java.util.List;

/** Records out of memory that is shared with other processes of this machine. */
public record RingDoorConfig(
    @Doc(
            "Files, one per producer, best in /dev/shm; missing ones are created for this user."
                + " Write access needs no token.")
        @Default("[]")
        List<String> paths,
    @Doc("Bytes per ring, a power of two.")
        @Default("16777216")
        @Range(min = 65_536, max = 1_073_741_824)
        int capacityBytes,
    @Doc("Largest message, at most an eighth of capacityBytes less 8.")
        @Default("131072")
        @Range(min = 64, max = 134_217_720)
        int maxMessageBytes,
    @Doc(
            "What an idle ring's thread does: backoff spins, yields, then sleeps up to 1 ms; spin"
                + " occupies a processor.")
        @Default("backoff")
        Idle idle) {

  /** What a thread does that finds nothing to do. */
  public enum Idle {
    BACKOFF,
    SLEEP,
    YIELD,
    SPIN
  }

  private static final int MESSAGE_HEADER_BYTES = 8;

  public RingDoorConfig {
    paths = List.copyOf(paths);
    if (new HashSet<>(paths).size() < paths.size() || paths.contains("")) {
      throw new IllegalArgumentException("paths must name each file once, and none that is empty");
    }
    if (Integer.bitCount(capacityBytes) != 1) {
      throw new IllegalArgumentException(
          "capacityBytes must be a power of two, such as " + Integer.highestOneBit(capacityBytes));
    }
    if (maxMessageBytes > capacityBytes / 8 - MESSAGE_HEADER_BYTES) {
      throw new IllegalArgumentException(
          "maxMessageBytes must be at most "
              + (capacityBytes / 8 - MESSAGE_HEADER_BYTES)
              + ", an eighth of capacityBytes less 8");
    }
  }
}
