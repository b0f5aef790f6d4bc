package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The library that stands between a node and its disk; {@code disk-fault.c} says what it does. */
final class DiskFault {
  private DiskFault() {}

  static void compile(Path library) throws InterruptedException {
    String source = Path.of("src/test/c/disk-fault.c").toAbsolutePath().toString();
    List<String> command =
        List.of("cc", "-O2", "-shared", "-fPIC", "-o", library.toString(), source, "-ldl");
    try {
      Process compiler = new ProcessBuilder(command).redirectErrorStream(true).start();
      String said = new String(compiler.getInputStream().readAllBytes());
      assertEquals(0, compiler.waitFor(), said);
    } catch (IOException e) {
      throw new AssertionError("no C compiler: ./test installs one (gcc, libc6-dev)", e);
    }
  }
}
