package io.galop.ingest.http;

import io.galop.config.broadcast.OriginPattern;
import io.galop.ingest.intake.Collected;
import io.galop.ingest.intake.DoorAnswer;
import io.galop.ingest.intake.DoorMeters;
import io.galop.ingest.intake.HalfSent;
import io.galop.ingest.intake.Intake;
import io.galop.ingest.intake.Rejections;
import io.galop.ingest.intake.Submission;
import io.galop.ingest.publisher.Credential;
import io.galop.ingest.publisher.OverQuota;
import io.galop.ingest.publisher.Publisher;
import io.galop.ingest.publisher.Publishers;
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
  private final Publishers publishers;
  private final DoorMeters meters;
  private final HalfSent halfSent;

  /** Builds the door of the current event loop. */
  public HttpDoor(Vertx vertx, Node node) {
    this.node = node;
    this.intake = new Intake(vertx, node);
    this.publishers = Publishers.of(vertx, node);
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
    Optional<Publisher> publisher = publisher(request);
    if (publisher.isEmpty()) {
      meters.stranger();
      refuse(request.response(), unknown());
      return;
    }
    Optional<PublishRequest.Wrong> wrong = check(request, publisher.get());
    if (wrong.isPresent()) {
      refuse(request.response(), wrong.get());
      return;
    }
    try {
      read(request, publisher.get(), PublishRequest.of(request));
    } catch (IllegalArgumentException e) {
      refuse(
          request.response(),
          new PublishRequest.Wrong(400, "the topic in the path is not percent-encoded UTF-8"));
    }
  }

  private Optional<Publisher> publisher(HttpServerRequest request) {
    if (publishers.isOpen() || PublishRequest.isDrill(request)) {
      return Optional.of(Publisher.ANYONE);
    }
    String header = request.getHeader("Authorization");
    String subject = Credential.subjectOf(request.connection().sslSession());
    return publishers.find(Credential.ofHeader(header, subject));
  }

  private static PublishRequest.Wrong unknown() {
    return new PublishRequest.Wrong(
        401, "the token is missing or wrong; send it as 'Authorization: Bearer <token>'");
  }

  private Optional<PublishRequest.Wrong> check(HttpServerRequest request, Publisher publisher) {
    if (publishers.isOpen() && isForeignPage(request)) {
      return Optional.of(
          new PublishRequest.Wrong(403, "pages of other sites cannot publish without a token"));
    }
    if (intake.inFlight().isClosing()) {
      return Optional.of(new PublishRequest.Wrong(UNAVAILABLE, "the node is shutting down"));
    }
    if (intake.inFlight().isFull(publisher)) {
      publisher.throttled();
      return Optional.of(full(publisher));
    }
    OverQuota over = publisher.over();
    if (over != null) {
      publisher.throttled();
      return Optional.of(new PublishRequest.Wrong(TOO_MANY, over.sentence(), over.retryAfterMs()));
    }
    return PublishRequest.check(request, node.config().ingest().http().maxBodyBytes());
  }

  /** A page from anywhere may make its reader's browser post to loopback. */
  private static boolean isForeignPage(HttpServerRequest request) {
    String origin = request.getHeader("Origin");
    return origin != null && !OriginPattern.isSameHost(origin, String.valueOf(request.authority()));
  }

  private PublishRequest.Wrong full(Publisher publisher) {
    return new PublishRequest.Wrong(TOO_MANY, intake.inFlight().fullOf(publisher));
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

  private void read(HttpServerRequest request, Publisher publisher, PublishRequest head) {
    if ("100-continue".equalsIgnoreCase(request.getHeader("Expect"))) {
      request.response().writeContinue();
    }
    new HttpExchange(request, publisher, head).read();
  }

  private void refuse(HttpServerResponse response, PublishRequest.Wrong wrong) {
    if (wrong.status() == TOO_MANY) {
      meters.paused();
    }
    JsonObject body = DoorAnswer.refusal(wrong.error());
    if (wrong.retryAfterMs() > 0) {
      body.put("retryAfterMs", wrong.retryAfterMs());
    }
    answer(response, wrong.status(), body);
  }

  private static void answer(HttpServerResponse response, int status, JsonObject body) {
    if (response.closed() || response.ended()) {
      return;
    }
    long retryAfterMs = body.getLong("retryAfterMs", 0L);
    if (status == TOO_MANY || status == UNAVAILABLE || retryAfterMs > 0) {
      response.putHeader("Retry-After", Long.toString(1 + Math.max(0, retryAfterMs - 1) / 1000));
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
    private final Publisher publisher;
    private final Collected collected;
    private final BodyReader body;
    private final HalfSent.Part part;
    private boolean over;

    HttpExchange(HttpServerRequest request, Publisher publisher, PublishRequest head) {
      this.request = request;
      this.publisher = publisher;
      this.collected = new Collected(publisher, meters);
      this.part = halfSent.of(publisher, meters.halfSent(), this::giveUp);
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
      if (!intake.inFlight().isFullForHalf(publisher, part.held())) {
        return Optional.empty();
      }
      publisher.throttled();
      return Optional.of(full(publisher));
    }

    /** Nothing more is read of a connection whose body was not whole in time. */
    private void giveUp(HalfSent.End why) {
      HttpServerResponse response = request.response();
      if (!response.closed()) {
        response.putHeader("Connection", "close");
      }
      fail(why == HalfSent.End.LATE ? late() : full(publisher));
      request.connection().close();
    }

    private void fail(PublishRequest.Wrong wrong) {
      leave();
      refuse(request.response(), wrong);
    }

    /** A body may take long: whoever was revoked meanwhile publishes no more. */
    private void submit() {
      if (publisher(request).filter(publisher::equals).isEmpty()) {
        fail(unknown());
        return;
      }
      Submission submission = intake.open(publisher, meters, collected.rejections(), this::done);
      if (intake.isTracing()) {
        PublishRequest.traceparent(request).ifPresent(submission::traceparent);
      }
      collected.moveTo(submission);
      leave();
    }

    private void done(Submission submission) {
      int accepted = submission.acknowledged();
      Rejections rejections = submission.rejections();
      int status = DoorAnswer.status(accepted, rejections, !head.lines());
      answer(request.response(), status, DoorAnswer.of(submission));
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
