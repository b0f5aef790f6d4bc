package io.galop.ops.access;

import io.galop.config.OperatorConfig;
import io.galop.node.JsonAnswer;
import io.galop.ops.access.RouteAccess.Access;
import io.galop.vertx.HttpChannels;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.security.cert.X509Certificate;
import java.util.Objects;
import java.util.Optional;

/**
 * Stands in front of all routes of the management port: who asks, and may he. On the event loop of
 * the port.
 */
public final class AccessGate implements Handler<RoutingContext> {
  /** Of the 401, by which a browser asks its user and {@code galop} knows whom it has reached. */
  public static final String REALM = "Galop operators";

  private static final String LOGIN = "galop.login";
  private static final String ROLE_VIEWER = "role_viewer";

  private final Operators operators;
  private final boolean isTls;
  private final OnRefusedAct onRefusedAct;
  private final LoginRefusals refusals;

  /** Is told of an act that is refused to somebody with a login; answers the request. */
  public interface OnRefusedAct {
    /**
     * Answers 403.
     *
     * @param reason a word for programs
     * @param why a sentence for people
     */
    void refused(RoutingContext request, String reason, String why);
  }

  /**
   * In front of the routes of a port.
   *
   * @param isTls whether it has TLS
   * @param onRefusedAct answers an act that is refused
   */
  public AccessGate(
      Operators operators, boolean isTls, MeterRegistry meters, OnRefusedAct onRefusedAct) {
    this.operators = operators;
    this.isTls = isTls;
    this.onRefusedAct = onRefusedAct;
    this.refusals = new LoginRefusals(meters);
  }

  /** Who asks; of a request that was let through, and not of one that needs no login. */
  public static Login login(RoutingContext request) {
    return Objects.requireNonNull(request.<Login>get(LOGIN), "the gate has let it through");
  }

  @Override
  public void handle(RoutingContext request) {
    String path = request.normalizedPath();
    Optional<RouteAccess> route = RouteAccess.of(request.request().method(), path);
    boolean isOpen = route.filter(one -> one.access() == Access.OPEN).isPresent();
    if (!isOpen) {
      Optional<Login> login = login(request.request());
      if (login.isEmpty()) {
        refuse(request);
        return;
      }
      request.put(LOGIN, login.get());
      guard(request);
    }
    if (route.isEmpty()) {
      missing(request, RouteAccess.methods(path));
    } else if (route.get().access() == Access.ACT) {
      act(request);
    } else if (route.get().access() == Access.REVIEW && !login(request).mayAct()) {
      JsonAnswer.refuse(request, 403, ROLE_VIEWER, lacking(login(request), "read this"));
    } else {
      request.next();
    }
  }

  private static String lacking(Login login, String what) {
    return "%s has the role viewer, who looks; to %s takes the role operator"
        .formatted(login.operator(), what);
  }

  private static void missing(RoutingContext request, String methods) {
    if (methods.isEmpty()) {
      request.fail(404);
    } else {
      request.response().putHeader(HttpHeaders.ALLOW, methods);
      request.fail(405);
    }
  }

  private Optional<Login> login(HttpServerRequest request) {
    String address = String.valueOf(request.remoteAddress().hostAddress());
    if (!operators.areGiven()) {
      return Optional.of(Login.ofAnybody(address));
    }
    String authorization = request.getHeader(HttpHeaders.AUTHORIZATION);
    Optional<X509Certificate> certificate = HttpChannels.clientCertificate(request.connection());
    if (authorization != null) {
      Optional<Credentials> shown = Credentials.of(authorization);
      Optional<Login> login =
          shown.flatMap(
              one -> operators.withToken(one).map(whose -> login(whose, one.how(), address)));
      if (login.isEmpty()) {
        refusals.wrong("the token", address);
      }
      return login;
    }
    if (certificate.isEmpty()) {
      refusals.missing();
      return Optional.empty();
    }
    Optional<OperatorConfig> whose = operators.withCertificate(certificate.get());
    if (whose.isEmpty()) {
      String subject = certificate.get().getSubjectX500Principal().getName();
      refusals.wrong("the certificate of " + subject, address);
    }
    return whose.map(one -> login(one, "certificate", address));
  }

  private static Login login(OperatorConfig whose, String how, String address) {
    return new Login(whose.name(), whose.role(), how, address);
  }

  /** What is shown to somebody with a login is kept from pages that have his browser ask. */
  private void guard(RoutingContext request) {
    if (operators.areGiven()) {
      request
          .response()
          .putHeader("Cache-Control", "no-store")
          .putHeader("X-Content-Type-Options", "nosniff")
          .putHeader("Cross-Origin-Resource-Policy", "same-origin");
    }
  }

  private void act(RoutingContext request) {
    HttpServerRequest head = request.request();
    Login login = login(request);
    Optional<String> page =
        new PageOrigin(
                head.getHeader("Origin"),
                head.getHeader("Sec-Fetch-Site"),
                head.getHeader("Host"),
                isTls)
            .refusal(operators.areGiven());
    if (page.isPresent()) {
      onRefusedAct.refused(request, "other_page", page.get());
    } else if (!login.mayAct()) {
      onRefusedAct.refused(request, ROLE_VIEWER, lacking(login, "act"));
    } else {
      request.next();
    }
  }

  private static void refuse(RoutingContext request) {
    HttpServerRequest asked = request.request();
    boolean isShown =
        asked.getHeader(HttpHeaders.AUTHORIZATION) != null
            || HttpChannels.clientCertificate(asked.connection()).isPresent();
    String why =
        "show an operator's login: his token as Authorization: Bearer, HTTP Basic with his name and"
            + " token, or his client certificate; see management.operators";
    request
        .response()
        .putHeader("WWW-Authenticate", "Basic realm=\"" + REALM + "\", charset=\"UTF-8\"");
    JsonAnswer.refuse(request, 401, isShown ? "login_wrong" : "login_missing", why);
  }
}
