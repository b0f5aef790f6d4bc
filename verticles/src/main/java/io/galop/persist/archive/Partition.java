package io.galop.persist.archive;

import io.galop.record.Record;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;

/**
 * The directory that a record belongs to, below that of the archive, in the form that Hive, Spark
 * and DuckDB read as columns: {@code prefix=race%2F1/date=2026-11-25/hour=13}, by event time in
 * UTC. Remembers the last hour, which most records share. For one thread.
 */
final class Partition {
  /** Of a name; file systems take 255. */
  private static final int MOST_BYTES = 200;

  private static final String PLAIN =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.";
  private static final long US_PER_HOUR = TimeUnit.HOURS.toMicros(1);

  private final int levels;
  private long lastHour = Long.MIN_VALUE;
  private String lastText = "";

  /**
   * Partitions by topic and time.
   *
   * @param levels of the topic in the prefix; 0 for no prefix
   */
  Partition(int levels) {
    this.levels = levels;
  }

  String of(Record record) {
    String hour = hour(Math.floorDiv(record.timeUs(), US_PER_HOUR));
    return levels == 0 ? hour : "prefix=" + encoded(prefix(record.topic())) + "/" + hour;
  }

  private String hour(long hour) {
    if (hour != lastHour) {
      ZonedDateTime time =
          Instant.ofEpochSecond(TimeUnit.HOURS.toSeconds(hour)).atZone(ZoneOffset.UTC);
      lastHour = hour;
      lastText =
          String.format(Locale.ROOT, "date=%s/hour=%02d", time.toLocalDate(), time.getHour());
    }
    return lastText;
  }

  private String prefix(String topic) {
    int end = -1;
    for (int level = 0; level < levels; level++) {
      end = topic.indexOf('/', end + 1);
      if (end < 0) {
        return topic;
      }
    }
    return topic.substring(0, end);
  }

  /**
   * As Hive has it: what may mean something to a file system or a shell is percent-encoded. One
   * that is too long for a name ends with {@code ~} and a checksum.
   */
  private static String encoded(String prefix) {
    byte[] bytes = prefix.getBytes(StandardCharsets.UTF_8);
    StringBuilder text = new StringBuilder(bytes.length);
    for (byte one : bytes) {
      int code = one & 0xff;
      String next = PLAIN.indexOf(code) >= 0 ? "" + (char) code : String.format("%%%02X", code);
      if (text.length() + next.length() > MOST_BYTES) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return text + String.format("~%08x", crc.getValue());
      }
      text.append(next);
    }
    return text.toString();
  }
}
