package io.galop.ops;

import io.galop.config.ingest.IngestConfig;
import io.galop.ops.access.Operators;
import io.galop.ops.audit.ActHandler;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.net.SocketAddress;
import io.vertx.ext.web.RoutingContext;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Who may hand over code or a configuration where no operators are named. Where the doors have a
 * token it has to be shown; where they have none, only this machine is listened to.
 */
final class ScriptGate implements Handler<RoutingContext> {
  private static final String BEARER = "Bearer ";

  /** Why somebody is not let in. */
  record Refused(int status, String reason, String why) {}

  private final IngestConfig config;
  private final Operators operators;

  /**
   * A gate.
   *
   * @param operators where some are named, the gate of the port has judged already
   */
  ScriptGate(IngestConfig config, Operators operators) {
    this.config = config;
    this.operators = operators;
  }

  /** The body waits: whether it is read is not known yet. */
  @Override
  public void handle(RoutingContext request) {
    if (operators.areGiven()) {
      request.next();
      return;
    }
    request.request().pause();
    admit(
            request.vertx(),
            request.request().getHeader(HttpHeaders.AUTHORIZATION),
            request.request().remoteAddress())
        .onSuccess(
            refused -> {
              request.request().resume();
              if (refused.isEmpty()) {
                request.next();
              } else {
                Refused one = refused.get();
                ActHandler.send(
                    request, ActHandler.Answer.error(one.status(), one.reason(), one.why()));
              }
            })
        .onFailure(request::fail);
  }

  /**
   * Empty for whoever is let in.
   *
   * @param authorization the header; null where there is none
   */
  Future<Optional<Refused>> admit(Vertx vertx, @Nullable String authorization, SocketAddress from) {
    if (!config.hasToken()) {
      return isThisMachine(from)
          ? Future.succeededFuture(Optional.empty())
          : refused(
              403,
              "token_not_configured",
              "from another machine this is taken only where ingest.token or ingest.tokenFile"
                  + " is given, and shown");
    }
    return token(vertx).map(token -> isShown(token, authorization) ? Optional.empty() : unknown());
  }

  private static Future<Optional<Refused>> refused(int status, String reason, String why) {
    return Future.succeededFuture(Optional.of(new Refused(status, reason, why)));
  }

  private static Optional<Refused> unknown() {
    return Optional.of(
        new Refused(401, "token_missing", "show the doors' token: Authorization: Bearer …"));
  }

  private static boolean isThisMachine(SocketAddress from) {
    InetAddress address = from.hostAddress() == null ? null : address(from.hostAddress());
    return address != null && address.isLoopbackAddress();
  }

  /** Null for what is no address. */
  private static @Nullable InetAddress address(String literal) {
    try {
      return InetAddress.getByName(literal);
    } catch (java.net.UnknownHostException e) {
      return null;
    }
  }

  private Future<String> token(Vertx vertx) {
    return config.tokenFile().isEmpty()
        ? Future.succeededFuture(config.token())
        : vertx
            .fileSystem()
            .readFile(config.tokenFile())
            .map(file -> file.toString(StandardCharsets.UTF_8).lines().findFirst().orElse(""))
            .map(String::strip);
  }

  private static boolean isShown(String token, @Nullable String authorization) {
    String shown =
        authorization != null && authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())
            ? authorization.substring(BEARER.length()).strip()
            : "";
    return !token.isEmpty()
        && MessageDigest.isEqual(
            token.getBytes(StandardCharsets.UTF_8), shown.getBytes(StandardCharsets.UTF_8));
  }
}
