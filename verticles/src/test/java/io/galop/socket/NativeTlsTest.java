package io.galop.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Whether the log says why BoringSSL is not used, by the forms in which Netty tells it. */
class NativeTlsTest {
  private static Throwable ofLibraries(Throwable... each) {
    Throwable all = new IllegalArgumentException("Failed to load any of the given libraries");
    for (Throwable one : each) {
      all.addSuppressed(one);
    }
    return all;
  }

  private static Throwable library(Throwable cause) {
    return new UnsatisfiedLinkError("could not load a native library").initCause(cause);
  }

  @Test
  void whatIsNotThereForAMachineIsNoFault() {
    Throwable windows = library(new FileNotFoundException("META-INF/native/lib_windows.so"));
    Throwable any = library(new FileNotFoundException("META-INF/native/lib.so"));
    assertEquals(Optional.empty(), NativeTls.fault(ofLibraries(windows, any)));
    Throwable off = new UnsupportedOperationException("explicitly disabled");
    assertEquals(Optional.empty(), NativeTls.fault(off));
  }

  @Test
  void aFullDiskIsOne() {
    Throwable linux = library(new IOException("No space left on device"));
    Throwable any = library(new FileNotFoundException("META-INF/native/lib.so"));
    assertEquals(Optional.of("No space left on device"), NativeTls.fault(ofLibraries(linux, any)));
  }

  @Test
  void aDirectoryThatForbidsToRunWhatIsInItIsOne() {
    Throwable linux = new UnsatisfiedLinkError("/tmp/lib.so: failed to map segment");
    Throwable any = library(new FileNotFoundException("META-INF/native/lib.so"));
    assertEquals(
        Optional.of("/tmp/lib.so: failed to map segment"),
        NativeTls.fault(ofLibraries(linux, any)));
  }

  @Test
  void soIsWhatNobodyHasThoughtOf() {
    assertEquals(Optional.of("so it is"), NativeTls.fault(new LinkageError("so it is")));
  }
}
