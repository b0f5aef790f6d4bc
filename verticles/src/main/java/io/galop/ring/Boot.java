package io.galop.ring;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Which start of the machine this is. */
final class Boot {
  private static final Path KERNEL = Path.of("/proc/sys/kernel/random/boot_id");

  private Boot() {}

  /** A number of this start; 0 where the system names none. */
  static long id() {
    try {
      long hash = 0xcbf29ce484222325L;
      for (byte b : Files.readAllBytes(KERNEL)) {
        hash = (hash ^ b) * 0x100000001b3L;
      }
      return hash;
    } catch (IOException e) {
      return 0;
    }
  }
}
