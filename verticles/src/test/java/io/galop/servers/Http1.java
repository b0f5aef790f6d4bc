package io.galop.servers;

import io.vertx.core.http.HttpServerOptions;

/** Servers of tests, as those of the product. */
public final class Http1 {
  private Http1() {}

  /** Java's client would change to HTTP/2, and lose what it has not read when that is closed. */
  public static HttpServerOptions options() {
    return new HttpServerOptions().setHttp2ClearTextEnabled(false);
  }
}
