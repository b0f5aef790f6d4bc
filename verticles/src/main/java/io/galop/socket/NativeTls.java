package io.galop.socket;

import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslProvider;
import java.io.FileNotFoundException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** BoringSSL, which is written to the temporary directory, loaded from there and deleted. */
final class NativeTls {
  private static final Logger LOG = LoggerFactory.getLogger(NativeTls.class);

  private NativeTls() {}

  /** It, or the JDK where it cannot be loaded, which the log says then; to be asked once. */
  static SslProvider orJdk() {
    if (OpenSsl.isAvailable()) {
      return SslProvider.OPENSSL;
    }
    fault(OpenSsl.unavailabilityCause())
        .ifPresent(
            why ->
                LOG.warn(
                    "the JDK makes the TLS of listeners, for about twice the CPU time, since"
                        + " BoringSSL cannot be loaded: {}; see to {}, which must have room and"
                        + " must not be read-only or noexec",
                    why,
                    System.getProperty("java.io.tmpdir")));
    return SslProvider.JDK;
  }

  /**
   * Why it cannot be loaded; empty where there is none for this kind of machine, or where it is
   * switched off, which is no fault.
   *
   * @param failure has what became of each library as suppressed, the one of this machine first
   */
  static Optional<String> fault(Throwable failure) {
    Throwable[] libraries = failure.getSuppressed();
    Throwable own = libraries.length == 0 ? failure : libraries[0];
    Throwable why = own.getCause() == null ? own : own.getCause();
    boolean isNone =
        why instanceof FileNotFoundException
            || why instanceof ClassNotFoundException
            || why instanceof UnsupportedOperationException;
    return isNone ? Optional.empty() : Optional.of(String.valueOf(why.getMessage()));
  }
}
