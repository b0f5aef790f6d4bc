package io.galop.loadtest.client;

import io.netty.buffer.ByteBuf;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * Whether one connection's answers are what they should be: of each its status and length, of one
 * in ten every byte, by a sum that the processor has an instruction for, so that looking costs
 * little more than the kernel's copying.
 */
public final class AnswerCheck {
  private static final int OK = 200;
  private static final int VERIFY_EVERY = 10;

  private final CRC32C sum = new CRC32C();
  private long number;
  private long length;
  private int status;

  /** What a right answer is: so many bytes with this sum. */
  public record Expected(long length, long sum) {
    public static Expected of(byte[] body) {
      CRC32C sum = new CRC32C();
      sum.update(body);
      return new Expected(body.length, sum.getValue());
    }
  }

  /** An answer is to come, to the question of this number. */
  public void begin(long ofNumber) {
    number = ofNumber;
    length = 0;
    sum.reset();
  }

  public void onHead(int code) {
    status = code;
  }

  public void onBody(ByteBuf in, int more) {
    length += more;
    if (isVerified()) {
      sum.update(in.nioBuffer(in.readerIndex(), more));
    }
  }

  /** Whether every byte of the answer is looked at. */
  public boolean isVerified() {
    return number % VERIFY_EVERY == 0;
  }

  /** In bytes, so far. */
  public long length() {
    return length;
  }

  /** What is wrong with an answer that is complete; empty: nothing. */
  public Optional<String> wrong(Expected expected) {
    if (status != OK || length != expected.length()) {
      return Optional.of("status " + status + ", " + length + " bytes");
    }
    boolean isBad = isVerified() && sum.getValue() != expected.sum();
    return isBad ? Optional.of("other bytes than expected") : Optional.empty();
  }
}
