package io.galop.cli.http;

import io.galop.cli.CliFailure;
import io.galop.cli.TlsOptions;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import javax.net.ssl.SSLException;

/** Requests to a node's port for browsers, or for operators. */
final class NodeHttp {
  /** Who has not answered a question about the past. */
  static final String INCOMPLETE = "X-Galop-Incomplete";

  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(10);
  private static final String NDJSON = "application/x-ndjson";
  private static final int WRONG_REQUEST = 400;
  private static final int NO_LOGIN = 401;
  private static final String REALM = "Galop operators";
  private static final int NOT_THERE = 404;
  private static final Set<Integer> PARTLY_DONE = Set.of(500, 504);
  private static final int LONGEST_EXPLANATION_CHARS = 1_000;

  private final URI node;
  private final HttpClient client;
  private final String operatorToken;

  NodeHttp(URI node, TlsOptions tls) {
    this(node, tls, "");
  }

  /**
   * With an operator's login.
   *
   * @param operatorToken goes before what a request would show by itself; empty: none
   */
  NodeHttp(URI node, TlsOptions tls, String operatorToken) {
    this.node = node;
    this.client = tls.client(node);
    this.operatorToken = operatorToken;
  }

  /**
   * The lines that {@code GET /history/…} answers with; the caller closes the body. Its header
   * {@link #INCOMPLETE} names who has not answered.
   */
  HttpResponse<InputStream> history(String filter, Map<String, String> query, String token)
      throws IOException, InterruptedException {
    return history(filter, query, token, NDJSON);
  }

  /**
   * What {@code GET /history/…} answers; the caller closes the body.
   *
   * @param accept the content type that is wanted
   */
  HttpResponse<InputStream> history(
      String filter, Map<String, String> query, String token, String accept)
      throws IOException, InterruptedException {
    String levels =
        Arrays.stream(filter.split("/", -1))
            .map(NodeHttp::encoded)
            .collect(Collectors.joining("/"));
    String parameters =
        query.entrySet().stream()
            .map(entry -> entry.getKey() + "=" + encoded(entry.getValue()))
            .collect(Collectors.joining("&"));
    HttpRequest.Builder request =
        request("/history/" + levels + (parameters.isEmpty() ? "" : "?" + parameters));
    authorize(request, token);
    HttpResponse<InputStream> response = send(request.header("Accept", accept).GET());
    successful(response);
    return response;
  }

  /**
   * What {@code POST /publish} answers to NDJSON lines, also if it takes none of them; the caller
   * closes the stream.
   */
  InputStream publish(String lines, String token) throws IOException, InterruptedException {
    HttpRequest.Builder request =
        request("/publish")
            .header("Content-Type", NDJSON)
            .POST(HttpRequest.BodyPublishers.ofString(lines));
    authorize(request, token);
    HttpResponse<InputStream> response = send(request);
    return response.statusCode() == WRONG_REQUEST ? response.body() : successful(response);
  }

  /** What {@code GET} of a path answers, within a few seconds; the caller closes the stream. */
  InputStream get(String path) throws IOException, InterruptedException {
    HttpRequest.Builder request = request(path).timeout(ANSWER_TIMEOUT).GET();
    authorize(request, "");
    HttpResponse<InputStream> response = send(request);
    if (response.statusCode() == NOT_THERE) {
      response.body().close();
      throw CliFailure.failed(
          "%s has no %s; is that the right port? See --url".formatted(node, path));
    }
    return successful(response);
  }

  /** What {@code POST} of an object to a path answers; the caller closes the stream. */
  InputStream post(String path, String json, String token)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        request(path)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(json));
    authorize(request, token);
    return successful(send(request));
  }

  /**
   * The same for an order that several nodes follow: also what it answers when some of them did
   * not.
   */
  InputStream order(String path, String json) throws IOException, InterruptedException {
    HttpRequest.Builder request =
        request(path)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(json));
    authorize(request, "");
    HttpResponse<InputStream> response = send(request);
    return PARTLY_DONE.contains(response.statusCode()) ? response.body() : successful(response);
  }

  private void authorize(HttpRequest.Builder request, String token) {
    String shown = operatorToken.isEmpty() ? token : operatorToken;
    if (!shown.isEmpty()) {
      request.header("Authorization", "Bearer " + shown);
    }
  }

  private HttpRequest.Builder request(String pathAndQuery) {
    try {
      return HttpRequest.newBuilder(
          URI.create(node.toString().replaceAll("/+$", "") + pathAndQuery));
    } catch (IllegalArgumentException e) {
      throw CliFailure.usage(
          "--url must be http://HOST:PORT or https://HOST:PORT; it is '%s'".formatted(node));
    }
  }

  private HttpResponse<InputStream> send(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    try {
      return client.send(request.build(), BodyHandlers.ofInputStream());
    } catch (ConnectException e) {
      throw CliFailure.failed(
          new InetSocketAddress(node.getHost(), 0).isUnresolved()
              ? "no node at %s; the name %s is not known here".formatted(node, node.getHost())
              : "no node at %s; is one running there?".formatted(node));
    } catch (HttpTimeoutException e) {
      throw CliFailure.failed("%s does not answer".formatted(node));
    } catch (SSLException e) {
      throw CliFailure.failed("no TLS with %s: %s".formatted(node, TlsOptions.reason(e)));
    }
  }

  private InputStream successful(HttpResponse<InputStream> response) throws IOException {
    int status = response.statusCode();
    if (status / 100 == 2) {
      return response.body();
    }
    if (status == NO_LOGIN && isOperators(response)) {
      response.body().close();
      throw CliFailure.failed(
          "%s wants an operator's login%s: give --operator-token-file or GALOP_OPERATOR_TOKEN, or"
                  .formatted(node, operatorToken.isEmpty() ? "" : ", and does not know this one")
              + " --cert and --key");
    }
    String message = "%s answers %d: %s".formatted(node, status, explanation(response.body()));
    throw status == WRONG_REQUEST ? CliFailure.usage(message) : CliFailure.failed(message);
  }

  private static boolean isOperators(HttpResponse<InputStream> response) {
    return response.headers().firstValue("WWW-Authenticate").orElse("").contains(REALM);
  }

  /** The text of {@code {"error":…}}, which may have several lines; else all that was sent. */
  private static String explanation(InputStream body) throws IOException {
    try (body) {
      String all =
          new String(body.readNBytes(LONGEST_EXPLANATION_CHARS), StandardCharsets.UTF_8).strip();
      try {
        return new JsonObject(all).getValue("error") instanceof String error ? error : all;
      } catch (DecodeException e) {
        return all;
      }
    }
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
