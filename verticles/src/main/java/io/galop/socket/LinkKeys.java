package io.galop.socket;

import io.galop.config.GalopConfig;
import io.galop.config.RelayConfig;
import io.galop.yaml.ConfigException;
import io.netty.handler.ssl.SslContextBuilder;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.WebSocketClientOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLException;

/** What a node shows a relay that it dials, and whom it believes: both sides show certificates. */
public final class LinkKeys {
  private static final Set<String> VERSIONS = Set.of("TLSv1.3");

  private LinkKeys() {}

  /**
   * Puts what the files have now into the options of a client; blocks.
   *
   * @param number of the relay among those that the node dials
   * @throws ConfigException if they cannot be used
   */
  public static WebSocketClientOptions put(
      int number, RelayConfig relay, WebSocketClientOptions options) {
    if (!relay.tls().isGiven()) {
      return options;
    }
    String path = "relays[" + number + "].tls";
    PemFile certificate = PemFile.read(path + ".certificate", relay.tls().certificate());
    PemFile key = PemFile.read(path + ".key", relay.tls().key());
    PemFile authority = PemFile.read(path + ".ca", relay.tls().ca());
    certificate.certificates();
    authority.certificates();
    mustFit(certificate, key);
    return options
        .setSsl(true)
        .setEnabledSecureTransportProtocols(VERSIONS)
        .setVerifyHost(true)
        .setKeyCertOptions(
            new PemKeyCertOptions()
                .setCertValue(Buffer.buffer(certificate.bytes()))
                .setKeyValue(Buffer.buffer(key.bytes())))
        .setTrustOptions(new PemTrustOptions().addCertValue(Buffer.buffer(authority.bytes())));
  }

  private static void mustFit(PemFile certificate, PemFile key) {
    KeyKinds.mustBeTaken(certificate, certificate.certificates().get(0));
    try {
      if (!OwnKey.belongs(SslContextBuilder.forServer(certificate.in(), key.in()))) {
        throw key.problem("it is not the key of the certificate in '" + certificate.file() + "'");
      }
    } catch (SSLException e) {
      throw certificate.problem("it cannot be used: " + TlsKnock.reason(e));
    } catch (IllegalArgumentException e) {
      throw key.problem(KeyKinds.NO_KEY);
    }
  }

  /** What is wrong with the files, each a sentence that begins with a dotted path; blocks. */
  public static List<String> problems(GalopConfig config) {
    List<String> problems = new ArrayList<>();
    for (int i = 0; i < config.relays().size(); i++) {
      try {
        put(i, config.relays().get(i), new WebSocketClientOptions());
      } catch (ConfigException e) {
        problems.addAll(e.problems());
      }
    }
    return problems;
  }
}
