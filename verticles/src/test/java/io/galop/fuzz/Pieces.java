package io.galop.fuzz;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Cuts an input: its first byte says how, so that the fuzzer can choose. */
public final class Pieces {
  private Pieces() {}

  /** The first byte; 0 if there is none. */
  public static int choice(byte[] input) {
    return input.length == 0 ? 0 : input[0] & 0xff;
  }

  /** What follows the first byte. */
  public static byte[] rest(byte[] input) {
    return input.length == 0 ? input : Arrays.copyOfRange(input, 1, input.length);
  }

  /** Bytes in pieces of this size; in one if it is 0. */
  public static List<byte[]> of(byte[] bytes, int size) {
    if (size == 0) {
      return List.of(bytes);
    }
    List<byte[]> pieces = new ArrayList<>();
    for (int at = 0; at < bytes.length; at += size) {
      pieces.add(Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + size)));
    }
    return pieces;
  }
}
