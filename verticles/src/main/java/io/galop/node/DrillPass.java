package io.galop.node;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * What a node's own drills show at its own ports: for publishing to and watching topics of drills,
 * and nothing else. Known to this process only, and another one after each start.
 */
public final class DrillPass {
  /** The header of a request that has it. */
  public static final String HEADER = "Galop-Drill";

  private static final int BYTES = 32;
  private static final String PASS = random();

  private DrillPass() {}

  private static String random() {
    byte[] bytes = new byte[BYTES];
    new SecureRandom().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  /** For the drills. */
  public static String text() {
    return PASS;
  }

  /** Whether this is it; takes as long for any other text of its length. */
  public static boolean isShownBy(@Nullable String header) {
    return header != null
        && MessageDigest.isEqual(
            PASS.getBytes(StandardCharsets.UTF_8), header.getBytes(StandardCharsets.UTF_8));
  }
}
