package io.galop.loadtest.reads;

import java.util.zip.CRC32C;

/** What a right answer is: so many bytes with this sum. */
record Expected(long length, long sum) {
  static Expected of(byte[] body) {
    CRC32C sum = new CRC32C();
    sum.update(body);
    return new Expected(body.length, sum.getValue());
  }
}
