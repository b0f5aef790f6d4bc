package io.galop.socket;

import io.galop.config.tls.TlsConfig;
import io.galop.config.tls.TlsConfig.ClientCertificate;
import io.galop.yaml.ConfigException;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import javax.net.ssl.SSLException;

/** A listener's certificate and its key, as the files had them at one moment. Immutable. */
final class ServerKeys {
  private static final SslProvider FASTEST = NativeTls.orJdk();

  private static final long PATIENCE_MS = 10_000;

  private final X509Certificate certificate;
  private final SslContext context;
  private final SslProvider provider;

  private ServerKeys(X509Certificate certificate, SslContext context, SslProvider provider) {
    this.certificate = certificate;
    this.context = context;
    this.provider = provider;
  }

  /**
   * Reads all files of a listener; blocks.
   *
   * @param path the dotted path of the configuration
   * @throws ConfigException with the file and what is wrong with it
   */
  static ServerKeys read(String path, TlsConfig config, Instant now) {
    PemFile certificate = PemFile.read(path + ".certificate", config.certificate());
    PemFile key = PemFile.read(path + ".key", config.key());
    List<X509Certificate> chain = certificate.certificates();
    // BoringSSL knows fewer kinds of clients' keys: no Ed25519, no P-521 in TLS 1.3.
    SslProvider provider = config.clientCa().isEmpty() ? FASTEST : SslProvider.JDK;
    chain.forEach(one -> mustBeValid(certificate, one, now));
    KeyKinds.mustBeTaken(certificate, chain.get(0));
    try {
      if (!OwnKey.belongs(builder(certificate, key))) {
        throw key.problem("it is not the key of the certificate in '" + config.certificate() + "'");
      }
      SslContextBuilder context =
          builder(certificate, key)
              .sslProvider(provider)
              .protocols(config.versions().stream().map(version -> "TLSv" + version).toList())
              .ciphers(CipherSuites.STRONG, SupportedCipherSuiteFilter.INSTANCE);
      askClients(context, path, config);
      return new ServerKeys(chain.get(0), context.build(), provider);
    } catch (SSLException | IllegalArgumentException e) {
      throw certificate.problem("it cannot be used: " + TlsKnock.reason(e));
    }
  }

  private static SslContextBuilder builder(PemFile certificate, PemFile key) {
    try {
      return SslContextBuilder.forServer(certificate.in(), key.in());
    } catch (IllegalArgumentException e) {
      throw key.problem(KeyKinds.NO_KEY);
    }
  }

  private static void mustBeValid(PemFile file, X509Certificate one, Instant now) {
    String name = one.getSubjectX500Principal().getName();
    if (now.isAfter(one.getNotAfter().toInstant())) {
      throw file.problem(
          "the certificate of %s expired on %s".formatted(name, one.getNotAfter().toInstant()));
    }
    if (now.isBefore(one.getNotBefore().toInstant())) {
      throw file.problem(
          "the certificate of %s is valid from %s on; is the clock of this machine right?"
              .formatted(name, one.getNotBefore().toInstant()));
    }
  }

  private static void askClients(SslContextBuilder context, String path, TlsConfig config) {
    if (!config.clientCa().isEmpty()) {
      List<X509Certificate> authorities =
          PemFile.read(path + ".clientCa", config.clientCa()).certificates();
      boolean isOptional = config.clientCertificate() == ClientCertificate.OPTIONAL;
      context
          .trustManager(authorities.toArray(X509Certificate[]::new))
          .clientAuth(isOptional ? ClientAuth.OPTIONAL : ClientAuth.REQUIRE);
    }
  }

  /** What makes and reads the records of TLS. */
  String provider() {
    return provider == SslProvider.JDK ? "the JDK" : OpenSsl.versionString();
  }

  /** For a connection that was taken. */
  SslHandler handler(ByteBufAllocator allocator) {
    SslHandler handler = context.newHandler(allocator);
    handler.setHandshakeTimeoutMillis(PATIENCE_MS);
    return handler;
  }

  /** Whom the certificate names. */
  String subject() {
    return certificate.getSubjectX500Principal().getName();
  }

  /** When the certificate ends. */
  Instant until() {
    return certificate.getNotAfter().toInstant();
  }
}
