package io.galop.telemetry;

import com.google.protobuf.ByteString;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** Takes spans over OTLP as a collector does, and keeps them. */
final class Collector implements AutoCloseable {
  /** A header with a secret. */
  static final String KEY = "X-Api-Key";

  private final HttpServer server;
  private final CountDownLatch answers;
  private final List<ResourceSpans> taken = new CopyOnWriteArrayList<>();
  private final List<String> keys = new CopyOnWriteArrayList<>();

  Collector() throws IOException {
    this(new CountDownLatch(0));
  }

  private Collector(CountDownLatch answers) throws IOException {
    this.answers = answers;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/v1/traces", this::take);
    server.start();
  }

  /** One that takes requests and answers none until its end. */
  static Collector hanging() throws IOException {
    return new Collector(new CountDownLatch(1));
  }

  private void take(HttpExchange exchange) throws IOException {
    try (exchange;
        InputStream body = exchange.getRequestBody()) {
      answers.await();
      keys.addAll(exchange.getRequestHeaders().getOrDefault(KEY, List.of()));
      taken.addAll(ExportTraceServiceRequest.parseFrom(body).getResourceSpansList());
      exchange.getResponseHeaders().add("Content-Type", "application/x-protobuf");
      exchange.sendResponseHeaders(200, -1);
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  String endpoint() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** The values of {@link #KEY} so far, of one request after the other. */
  List<String> keys() {
    return keys;
  }

  List<Span> all() {
    return taken.stream()
        .flatMap(resource -> resource.getScopeSpansList().stream())
        .flatMap(scope -> scope.getSpansList().stream())
        .toList();
  }

  /** The spans of a trace so far. */
  List<Span> ofTrace(String traceId) {
    return all().stream().filter(span -> hex(span.getTraceId()).equals(traceId)).toList();
  }

  /** What the sender calls itself. */
  String service() {
    return value(taken.get(0).getResource().getAttributesList(), "service.name");
  }

  static String hex(ByteString id) {
    return HexFormat.of().formatHex(id.toByteArray());
  }

  /** The text of an attribute; empty if there is none. */
  static String attribute(Span span, String key) {
    return value(span.getAttributesList(), key);
  }

  private static String value(List<KeyValue> attributes, String key) {
    return attributes.stream()
        .filter(each -> each.getKey().equals(key))
        .map(each -> each.getValue().getStringValue())
        .findFirst()
        .orElse("");
  }

  @Override
  public void close() {
    answers.countDown();
    server.stop(0);
  }
}
