package io.galop.ingest.http;

import io.galop.config.broadcast.OriginPattern;
import io.galop.ingest.intake.Collected;
import io.galop.ingest.intake.DoorAnswer;
import io.galop.ingest.intake.DoorMeters;
import io.galop.ingest.intake.HalfSent;
import io.galop.ingest.intake.Intake;
import io.galop.ingest.intake.Rejections;
import io.galop.ingest.intake.Submission;
import io.galop.ingest.intake.Token;
import io.galop.node.Node;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;

/**
 * The http door: {@code POST /publish/{topic}} with one JSON object, or one a line, and {@code POST
 * /publish} with lines that name their topics. The answer is {@link DoorAnswer}'s, under 202, 400,
 * 401, 403, 405, 413, 415, 429 or 503. One for each event loop, built on it.
 */
public final class HttpDoor {
  private static final int TOO_MANY = 429;
  private static final int UNAVAILABLE = 503;
  private static final int TIMED_OUT = 408;

  private final Node node;
  private final Intake intake;
  private final Token token;
  private final DoorMeters meters;
  private final HalfSent halfSent;

  /** Builds the door of the current event loop. */
  public HttpDoor(Vertx vertx, Node node) {
    this.node = node;
    this.intake = new Intake(vertx, node);
    this.token = Token.of(node.config().ingest());
    this.meters = new DoorMeters(node.meters(), "http");
    this.halfSent = new HalfSent(vertx, intake.inFlight(), node.config().ingest());
  }

  /** Offers the door's routes; none of the router's handlers before may have read the body. */
  public void mount(Router router) {
    router.route(PublishRequest.PATH).handler(this::publish);
    router.route(PublishRequest.PATH + "/*").handler(this::publish);
  }

  private void publish(RoutingContext context) {
    HttpServerRequest request = context.request();
    Optional<PublishRequest.Wrong> wrong = check(request);
    if (wrong.isPresent()) {
      refuse(request.response(), wrong.get());
      return;
    }
    try {
      read(request, PublishRequest.of(request));
    } catch (IllegalArgumentException e) {
      refuse(
          request.response(),
          new PublishRequest.Wrong(400, "the topic in the path is not percent-encoded UTF-8"));
    }
  }

  private Optional<PublishRequest.Wrong> check(HttpServerRequest request) {
    if (!token.matchesHeader(request.getHeader("Authorization"))) {
      return Optional.of(
          new PublishRequest.Wrong(
              401, "the token is missing or wrong; send it as 'Authorization: Bearer <token>'"));
    }
    if (!token.isRequired() && isForeignPage(request)) {
      return Optional.of(
          new PublishRequest.Wrong(403, "pages of other sites cannot publish without a token"));
    }
    if (intake.inFlight().isClosing()) {
      return Optional.of(new PublishRequest.Wrong(UNAVAILABLE, "the node is shutting down"));
    }
    if (intake.inFlight().isFull()) {
      return Optional.of(full());
    }
    return PublishRequest.check(request, node.config().ingest().http().maxBodyBytes());
  }

  /** A page from anywhere may make its reader's browser post to loopback. */
  private static boolean isForeignPage(HttpServerRequest request) {
    String origin = request.getHeader("Origin");
    return origin != null && !OriginPattern.isSameHost(origin, String.valueOf(request.authority()));
  }

  private static PublishRequest.Wrong full() {
    return new PublishRequest.Wrong(
        TOO_MANY, "the node has as many bytes in flight as ingest.maxInFlightBytes allows");
  }

  private PublishRequest.Wrong late() {
    return new PublishRequest.Wrong(
        TIMED_OUT,
        "the body was not whole within the %d ms of ingest.receiveTimeoutMs, at %d bytes a second"
                .formatted(
                    node.config().ingest().receiveTimeoutMs(),
                    node.config().ingest().minReceiveBytesPerSecond())
            + " (ingest.minReceiveBytesPerSecond); send it faster, or in parts");
  }

  private void read(HttpServerRequest request, PublishRequest head) {
    if ("100-continue".equalsIgnoreCase(request.getHeader("Expect"))) {
      request.response().writeContinue();
    }
    new HttpExchange(request, head).read();
  }

  private void refuse(HttpServerResponse response, PublishRequest.Wrong wrong) {
    if (wrong.status() == TOO_MANY) {
      meters.paused();
    }
    answer(response, wrong.status(), DoorAnswer.refusal(wrong.error()));
  }

  private static void answer(HttpServerResponse response, int status, JsonObject body) {
    if (response.closed() || response.ended()) {
      return;
    }
    if (status == TOO_MANY || status == UNAVAILABLE) {
      response.putHeader("Retry-After", "1");
    } else if (status == 401) {
      response.putHeader("WWW-Authenticate", "Bearer");
    } else if (status == 405) {
      response.putHeader("Allow", "POST");
    }
    response
        .setStatusCode(status)
        .putHeader("Content-Type", "application/json")
        .putHeader("Cache-Control", "no-store")
        .end(body.toBuffer());
  }

  /** One request on its way. */
  private final class HttpExchange {
    private final HttpServerRequest request;
    private final PublishRequest head;
    private final Collected collected = new Collected(meters);
    private final BodyReader body;
    private final HalfSent.Part part = halfSent.of(meters.halfSent(), this::giveUp);
    private boolean over;

    HttpExchange(HttpServerRequest request, PublishRequest head) {
      this.request = request;
      this.head = head;
      this.body = new BodyReader(node.config().ingest(), intake.reader(), head, collected);
    }

    void read() {
      part.begin();
      request.handler(
          piece -> {
            if (!over) {
              byte[] bytes = piece.getBytes();
              body.take(bytes).or(() -> grow(bytes.length)).ifPresent(this::fail);
            }
          });
      request.endHandler(
          ended -> {
            if (!over) {
              body.end().ifPresentOrElse(this::fail, this::submit);
            }
          });
      request.exceptionHandler(failure -> leave());
    }

    private Optional<PublishRequest.Wrong> grow(int bytes) {
      part.grow(bytes, body.unpackedBytes());
      return intake.inFlight().isFullForHalf(part.held()) ? Optional.of(full()) : Optional.empty();
    }

    /** Nothing more is read of a connection whose body was not whole in time. */
    private void giveUp(HalfSent.End why) {
      HttpServerResponse response = request.response();
      if (!response.closed()) {
        response.putHeader("Connection", "close");
      }
      fail(why == HalfSent.End.LATE ? late() : full());
      request.connection().close();
    }

    private void fail(PublishRequest.Wrong wrong) {
      leave();
      refuse(request.response(), wrong);
    }

    private void submit() {
      collected.moveTo(intake.open(meters, collected.rejections(), this::done));
      leave();
    }

    private void done(Submission submission) {
      int accepted = submission.acknowledged();
      Rejections rejections = submission.rejections();
      int status = DoorAnswer.status(accepted, rejections, !head.lines());
      answer(request.response(), status, DoorAnswer.of(accepted, rejections));
    }

    private void leave() {
      if (!over) {
        over = true;
        part.done();
        body.close();
      }
    }
  }
}
