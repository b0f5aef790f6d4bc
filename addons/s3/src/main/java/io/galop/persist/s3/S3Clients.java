package io.galop.persist.s3;

import io.galop.config.persist.S3Config;
import io.galop.store.Trust;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.TrustManager;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;

/** Makes Amazon's client as servers of all makers understand it. Blocks. */
final class S3Clients {
  private static final Duration LONGEST_CONNECT = Duration.ofSeconds(10);

  private S3Clients() {}

  /**
   * One for a bucket, with the keys as they are now; contacts nobody.
   *
   * @param http is closed by its owner
   * @throws IOException naming the file or variable that cannot be read
   */
  static S3Client of(S3Config config, EndableHttp http) throws IOException {
    S3ClientBuilder builder =
        S3Client.builder()
            .region(Region.of(config.region()))
            .forcePathStyle(config.pathStyle())
            // Others than Amazon do not know the checksums behind a body; each request has its MD5.
            .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
            .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
            .serviceConfiguration(service -> service.chunkedEncodingEnabled(false))
            .overrideConfiguration(each -> each.addExecutionInterceptor(new BodyAtOnce()))
            .httpClient(http);
    if (!config.endpoint().isEmpty()) {
      builder.endpointOverride(URI.create(config.endpoint()));
    }
    if (!config.login().user().isEmpty()) {
      String secret = config.login().readPassword();
      builder.credentialsProvider(
          StaticCredentialsProvider.create(
              AwsBasicCredentials.create(config.login().user(), secret)));
    }
    return builder.build();
  }

  /**
   * What sends the requests of a client.
   *
   * @throws IOException naming the file that cannot be read
   */
  static EndableHttp http(S3Config config) throws IOException {
    Duration limit = Duration.ofMillis(config.timeoutMs());
    UrlConnectionHttpClient.Builder http =
        UrlConnectionHttpClient.builder()
            .connectionTimeout(limit.compareTo(LONGEST_CONNECT) < 0 ? limit : LONGEST_CONNECT)
            .socketTimeout(limit);
    trusted(config).ifPresent(managers -> http.tlsTrustManagersProvider(() -> managers));
    return new EndableHttp(http.build());
  }

  /** Whom a connection trusts; empty: those that Java trusts. */
  static Optional<TrustManager[]> trusted(S3Config config) throws IOException {
    return config.caFile().isEmpty()
        ? Optional.empty()
        : Optional.of(Trust.managers(config.caFile()));
  }

  /**
   * Sends a body unasked. The JDK's client loses the words of a server that refuses before it asks,
   * and waits long for one that never does. A request is signed afterwards.
   */
  private static final class BodyAtOnce implements ExecutionInterceptor {
    @Override
    public SdkHttpRequest modifyHttpRequest(
        Context.ModifyHttpRequest context, ExecutionAttributes attributes) {
      return context.httpRequest().toBuilder().removeHeader("Expect").build();
    }
  }
}
