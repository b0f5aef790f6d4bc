package io.galop.cli;

import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/**
 * Whom a command trusts and what it shows where a node has TLS, as options of a command and of
 * those below it.
 */
public final class TlsOptions {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  private static final Pattern NOT_TRUSTED = Pattern.compile("PKIX path|certification path");
  private static final Pattern OTHER_HOST = Pattern.compile("No subject alternative|No name match");
  private static final Pattern NO_TLS = Pattern.compile("Unsupported or unrecognized SSL message");
  private static final Pattern ASKED =
      Pattern.compile("fatal alert: (bad_certificate|certificate_\\w+|unknown_ca|handshake_fail)");

  @Option(
      names = "--ca",
      paramLabel = "FILE",
      scope = ScopeType.INHERIT,
      description =
          "A PEM file with the authority of the node's certificate. Default: those that Java"
              + " trusts.")
  private Optional<Path> ca = Optional.empty();

  @Option(
      names = "--cert",
      paramLabel = "FILE",
      scope = ScopeType.INHERIT,
      description = "A PEM file with a certificate to show, if the node asks for one.")
  private Optional<Path> certificate = Optional.empty();

  @Option(
      names = "--key",
      paramLabel = "FILE",
      scope = ScopeType.INHERIT,
      description = "A PEM file with its private key (PKCS #8).")
  private Optional<Path> key = Optional.empty();

  private boolean isGiven() {
    return ca.isPresent() || certificate.isPresent() || key.isPresent();
  }

  /** A client for the node at this address: of http or https, or of websockets there. */
  public HttpClient client(URI to) {
    if (isGiven() && !"https".equalsIgnoreCase(to.getScheme())) {
      throw CliFailure.usage("--ca, --cert and --key want an address that begins with https://");
    }
    HttpClient.Builder builder = HttpClient.newBuilder().connectTimeout(CONNECT_TIMEOUT);
    return isGiven() ? builder.sslContext(context()).build() : builder.build();
  }

  /** Opens a connection, by TLS where its address or an option says so; blocks. */
  public Socket connect(HostPort to, int timeoutMs) throws IOException {
    Socket socket = new Socket();
    try {
      socket.connect(to.resolve(), timeoutMs);
      return to.isTls() || isGiven() ? encrypted(socket, to, timeoutMs) : socket;
    } catch (SSLException e) {
      socket.close();
      throw new IOException(reason(e), e);
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  private Socket encrypted(Socket plain, HostPort to, int timeoutMs) throws IOException {
    SSLSocket socket =
        (SSLSocket) context().getSocketFactory().createSocket(plain, to.host(), to.port(), true);
    // Else close() waits for a thread that a silent node keeps in write().
    socket.setSoLinger(true, 1);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    socket.setSSLParameters(parameters);
    socket.setSoTimeout(timeoutMs);
    socket.startHandshake();
    socket.setSoTimeout(0);
    return socket;
  }

  private SSLContext context() {
    if (certificate.isPresent() != key.isPresent()) {
      throw CliFailure.usage("--cert and --key must be given together");
    }
    try {
      if (!isGiven()) {
        return SSLContext.getDefault();
      }
      SslContextBuilder builder = SslContextBuilder.forClient().sslProvider(SslProvider.JDK);
      ca.ifPresent(file -> builder.trustManager(file.toFile()));
      certificate.ifPresent(file -> builder.keyManager(file.toFile(), key.get().toFile()));
      return ((JdkSslContext) builder.build()).context();
    } catch (GeneralSecurityException | IllegalArgumentException | SSLException e) {
      throw CliFailure.usage(
          "--ca, --cert and --key must name PEM files, the key as PKCS #8: " + e.getMessage());
    }
  }

  /** Why there is no TLS with a node, as the end of a sentence. */
  public static String reason(SSLException failure) {
    String message = String.valueOf(failure.getMessage());
    if (NOT_TRUSTED.matcher(message).find()) {
      return "its certificate is of an authority that is not trusted; see --ca";
    }
    if (OTHER_HOST.matcher(message).find()) {
      return "its certificate is for another host; give the name that is in it";
    }
    if (NO_TLS.matcher(message).find()) {
      return "it does not speak TLS on this port";
    }
    return ASKED.matcher(message).find()
        ? "it refuses the certificate that was shown, or asks for one; see --cert"
        : message;
  }
}
