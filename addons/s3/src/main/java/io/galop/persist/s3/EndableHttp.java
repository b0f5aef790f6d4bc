package io.galop.persist.s3;

import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.SdkHttpClient;

/**
 * A client for one request at a time, which another thread may end: the JDK's heeds no interrupt.
 */
final class EndableHttp implements SdkHttpClient {
  private final SdkHttpClient http;
  private volatile @Nullable ExecutableHttpRequest last;
  private volatile boolean hasEnded;

  EndableHttp(SdkHttpClient http) {
    this.http = http;
  }

  @Override
  public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
    ExecutableHttpRequest prepared = http.prepareRequest(request);
    last = prepared;
    if (hasEnded) {
      throw AbortedException.create("the node ends"); // which is not tried again
    }
    return prepared;
  }

  /** Ends the request that is under way, and refuses others. From any thread. */
  void end() {
    hasEnded = true;
    ExecutableHttpRequest now = last;
    if (now != null) {
      now.abort();
    }
  }

  @Override
  public String clientName() {
    return http.clientName();
  }

  @Override
  public void close() {
    http.close();
  }
}
