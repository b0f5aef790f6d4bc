package io.galop.persist.redis;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.galop.record.Placed;
import io.galop.record.Position;
import io.galop.record.Record;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedisValueTest {

  @ParameterizedTest
  @ValueSource(
      longs = {
        0,
        1,
        -1,
        999,
        1_000,
        123_000,
        -62_167_219_200_000_001L,
        -62_167_219_200_000_000L,
        1_395_000_000_000_000L,
        1_395_000_000_123_456L,
        951_782_400_000_000L,
        253_402_300_799_999_999L,
        253_402_300_800_000_000L,
        Long.MAX_VALUE,
        Long.MIN_VALUE
      })
  void aTimeIsWrittenAsAnInstantAndReadBack(long timeUs) {
    byte[] data = "{\"odds\":3.5}".getBytes(StandardCharsets.UTF_8);
    Record record = new Record("an id", "race/\"7\"\n/ö\\", timeUs, data);
    Position position = new Position(15, 1_234_567_890_123L, Long.MAX_VALUE);

    byte[] value = RedisValue.of(new Placed(position, record));

    assertEquals(
        "{\"topic\":\"race/\\\"7\\\"\\u000a/ö\\\\\",\"time\":\""
            + Instant.EPOCH.plus(timeUs, ChronoUnit.MICROS)
            + "\",\"timeUs\":"
            + timeUs
            + ",\"pos\":\"15.1234567890123-9223372036854775807\",\"data\":{\"odds\":3.5}}",
        new String(value, StandardCharsets.UTF_8));
    Placed read = RedisValue.read("an id", value);
    assertEquals(position, read.position());
    assertEquals(record.topic(), read.record().topic());
    assertEquals(timeUs, read.record().timeUs());
    assertArrayEquals(data, read.record().data());
  }
}
