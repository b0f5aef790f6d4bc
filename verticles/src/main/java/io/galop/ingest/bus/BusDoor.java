package io.galop.ingest.bus;

import io.galop.bus.PublishLane;
import io.galop.ingest.intake.Door;
import io.galop.ingest.intake.DoorAnswer;
import io.galop.ingest.intake.DoorMeters;
import io.galop.ingest.intake.Intake;
import io.galop.ingest.intake.Rejections;
import io.galop.ingest.intake.Submission;
import io.galop.ingest.parse.LineSplitter;
import io.galop.ingest.parse.NumberedLines;
import io.galop.ingest.publisher.Credential;
import io.galop.ingest.publisher.OverQuota;
import io.galop.ingest.publisher.Publisher;
import io.galop.ingest.publisher.Publishers;
import io.galop.node.Node;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * The bus door: lines {@code {"topic":…,"data":{…},"id":…,"time":…}} in a message of the event bus;
 * see {@link PublishLane}. The reply is {@link DoorAnswer}'s.
 */
public final class BusDoor implements Door {
  static final String NAME = "bus";

  private static final String NO_TOKEN = "the token is missing or wrong; send it as 'token'";
  private static final String NO_LINES =
      "field 'lines' must be a text of JSON objects, one a line; the message holds none";
  private static final String CLOSING = "the node is shutting down; send again to another";

  /** What is in flight is acknowledged within milliseconds as a rule. */
  private static final long FULL_RETRY_MS = 100;

  private final PublishLane lane;
  private final Intake intake;
  private final Publishers publishers;
  private final DoorMeters meters;
  private final int maxLineBytes;
  private List<MessageConsumer<?>> consumers = List.of();

  public BusDoor(Node node, Intake intake, Publishers publishers) {
    this.lane = node.bus().publish();
    this.intake = intake;
    this.publishers = publishers;
    this.meters = new DoorMeters(node.meters(), NAME);
    this.maxLineBytes = node.config().ingest().limits().maxLineBytes();
  }

  @Override
  public Future<Void> open() {
    consumers = List.of(lane.onPublish(this::fromMember), lane.onBridged(this::bridged));
    return Future.all(consumers.stream().map(MessageConsumer::completion).toList()).mapEmpty();
  }

  private Future<JsonObject> bridged(JsonObject message) {
    return recognised(message, text(message, PublishLane.CERTIFICATE));
  }

  /** A member of the cluster is trusted, unless it says for whom it speaks. */
  private Future<JsonObject> fromMember(JsonObject message) {
    return publishers.isOpen() || text(message, "token").isEmpty()
        ? publish(Publisher.ANYONE, message)
        : recognised(message, "");
  }

  private Future<JsonObject> recognised(JsonObject message, String subject) {
    Optional<Publisher> known = publishers.find(Credential.of(text(message, "token"), subject));
    if (known.isEmpty()) {
      meters.stranger();
      return refuse(NO_TOKEN);
    }
    return publish(known.get(), message);
  }

  private static String text(JsonObject message, String field) {
    return message.getValue(field) instanceof String text ? text : "";
  }

  private Future<JsonObject> publish(Publisher publisher, JsonObject message) {
    if (!(message.getValue("lines") instanceof String lines)) {
      return refuse(NO_LINES);
    }
    if (intake.inFlight().isFull(publisher) || intake.inFlight().isClosing()) {
      meters.paused();
      publisher.throttled();
      return intake.inFlight().isClosing()
          ? refuse(CLOSING).map(answer -> answer.put("reason", PublishLane.SHUTDOWN))
          : refuse(intake.inFlight().fullOf(publisher))
              .map(answer -> answer.put("retryAfterMs", FULL_RETRY_MS));
    }
    OverQuota over = publisher.over();
    if (over != null) {
      publisher.throttled();
      return refuse(over.sentence()).map(answer -> answer.put("retryAfterMs", over.retryAfterMs()));
    }
    Promise<JsonObject> answered = Promise.promise();
    Rejections rejections = new Rejections();
    Submission submission =
        intake.open(publisher, meters, rejections, done -> answered.complete(DoorAnswer.of(done)));
    byte[] bytes = lines.getBytes(StandardCharsets.UTF_8);
    LineSplitter splitter =
        new LineSplitter(maxLineBytes, new NumberedLines(intake.reader(), submission));
    splitter.take(bytes, 0, bytes.length);
    splitter.end();
    submission.close();
    return answered.future();
  }

  private static Future<JsonObject> refuse(String error) {
    return Future.succeededFuture(DoorAnswer.refusal(error));
  }

  @Override
  public Future<Void> close() {
    return Future.all(consumers.stream().map(MessageConsumer::unregister).toList()).mapEmpty();
  }
}
