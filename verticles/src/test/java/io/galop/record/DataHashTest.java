package io.galop.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DataHashTest {
  @Test
  void isThatOfTheBytes() {
    byte[] data = "{\"odds\":6.4,\"volume\":12}".getBytes(StandardCharsets.UTF_8);
    assertEquals(DataHash.of(data), DataHash.of(data.clone()));
  }

  @Test
  void differsWithEachBitAndLength() {
    byte[] data = new byte[300];
    new Random(7).nextBytes(data);
    Set<Long> hashes = new HashSet<>();
    int expected = 0;
    for (int length = 0; length <= data.length; length++) {
      byte[] part = Arrays.copyOf(data, length);
      hashes.add(DataHash.of(part));
      expected++;
      for (int bit = 0; bit < 8 * length; bit += 5) {
        part[bit / 8] ^= (byte) (1 << bit % 8);
        hashes.add(DataHash.of(part));
        expected++;
        part[bit / 8] ^= (byte) (1 << bit % 8);
      }
    }
    assertEquals(expected, hashes.size());
    assertTrue(hashes.add(DataHash.of(new byte[301])));
  }
}
