package io.galop.loadtest.experiments.reads;

import io.vertx.core.json.JsonArray;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** The answer that all ask for: the newest records of one topic. */
final class NewestAnswer {
  /** The first of those that records are sent to. */
  private static final String TOPIC = "load/000000";

  private NewestAnswer() {}

  static URI uri(InetSocketAddress server, int records) {
    String at = "http://" + server.getHostString() + ":" + server.getPort();
    return URI.create(at + "/history/" + TOPIC + "?order=desc&limit=" + records);
  }

  /** The body. */
  static byte[] get(URI uri) throws IOException {
    try (InputStream in = uri.toURL().openStream()) {
      return in.readAllBytes();
    }
  }

  /** The body, if it has as many records as it should. */
  static byte[] get(URI uri, int records) throws IOException {
    byte[] body = get(uri);
    int found = new JsonArray(new String(body, StandardCharsets.UTF_8)).size();
    if (found != records) {
      throw new IOException(uri + " gives " + found + " records, not " + records);
    }
    return body;
  }

  /** The request, as it goes out on a connection. */
  static byte[] request(URI uri) {
    return "GET %s?%s HTTP/1.1\r\nHost: %s\r\n\r\n"
        .formatted(uri.getRawPath(), uri.getRawQuery(), uri.getAuthority())
        .getBytes(StandardCharsets.US_ASCII);
  }
}
