package io.galop.socket;

import io.galop.config.ClusterConfig;
import io.galop.config.ClusterTlsConfig;
import io.galop.yaml.ConfigException;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLException;

/**
 * Mutual TLS between the event buses of nodes: each side shows a certificate of the authority that
 * signs for the nodes of this cluster and for nobody else. So names in certificates are not
 * compared: nodes are known by addresses that change.
 */
public final class ClusterTls {
  private static final long PATIENCE_MS = 5_000;
  private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

  private final SslContext server;
  private final SslContext client;

  private ClusterTls(SslContext server, SslContext client) {
    this.server = server;
    this.client = client;
  }

  /**
   * Reads certificates and key, if there are to be any; blocks.
   *
   * @throws ConfigException if they cannot be used
   */
  public static Optional<ClusterTls> of(ClusterConfig config) {
    ClusterTlsConfig tls = config.tls();
    if (!tls.isGiven()) {
      return Optional.empty();
    }
    File certificate = readable("certificateFile", tls.certificateFile());
    File key = readable("keyFile", tls.keyFile());
    File authority = readable("caFile", tls.caFile());
    try {
      if (!OwnKey.belongs(SslContextBuilder.forServer(certificate, key))) {
        throw new ConfigException(
            List.of(
                "cluster.tls.keyFile: '%s' is not the key of the certificate in '%s'"
                    .formatted(key, certificate)));
      }
      return Optional.of(
          new ClusterTls(
              SslContextBuilder.forServer(certificate, key)
                  .sslProvider(SslProvider.JDK)
                  .protocols(PROTOCOLS)
                  .ciphers(CipherSuites.STRONG, SupportedCipherSuiteFilter.INSTANCE)
                  .trustManager(authority)
                  .clientAuth(ClientAuth.REQUIRE)
                  .build(),
              SslContextBuilder.forClient()
                  .sslProvider(SslProvider.JDK)
                  .protocols(PROTOCOLS)
                  .ciphers(CipherSuites.STRONG, SupportedCipherSuiteFilter.INSTANCE)
                  .keyManager(certificate, key)
                  .trustManager(authority)
                  .endpointIdentificationAlgorithm(null)
                  .build()));
    } catch (SSLException | IllegalArgumentException e) {
      throw new ConfigException(
          List.of(
              "cluster.tls: must name a certificate, its private key (PKCS #8, RSA or EC) and an authority,"
                  + " each as PEM: "
                  + e.getMessage()));
    }
  }

  private static File readable(String key, String file) {
    Path path = Path.of(file);
    if (!Files.isRegularFile(path) || !Files.isReadable(path)) {
      throw new ConfigException(
          List.of("cluster.tls.%s: must name a file that can be read: '%s'".formatted(key, file)));
    }
    return path.toFile();
  }

  /**
   * What is wrong with the files where the node needs them, each a sentence that begins with a
   * dotted path; blocks.
   */
  static List<String> problems(ClusterConfig config) {
    try {
      if (config.isClustered()) {
        of(config);
      }
      return List.of();
    } catch (ConfigException e) {
      return e.problems();
    }
  }

  /** For a connection that was taken. */
  SslHandler server(ByteBufAllocator allocator) {
    return patient(server.newHandler(allocator));
  }

  /** For a connection that is opened. */
  SslHandler client(ByteBufAllocator allocator) {
    return patient(client.newHandler(allocator));
  }

  private static SslHandler patient(SslHandler handler) {
    handler.setHandshakeTimeoutMillis(PATIENCE_MS);
    return handler;
  }
}
