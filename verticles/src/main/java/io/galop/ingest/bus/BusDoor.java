package io.galop.ingest.bus;

import io.galop.bus.PublishLane;
import io.galop.ingest.intake.Door;
import io.galop.ingest.intake.DoorAnswer;
import io.galop.ingest.intake.DoorMeters;
import io.galop.ingest.intake.Intake;
import io.galop.ingest.intake.Rejections;
import io.galop.ingest.intake.Submission;
import io.galop.ingest.intake.Token;
import io.galop.ingest.parse.LineSplitter;
import io.galop.ingest.parse.NumberedLines;
import io.galop.node.Node;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The bus door: lines {@code {"topic":…,"data":{…},"id":…,"time":…}} in a message of the event bus;
 * see {@link PublishLane}. The reply is {@link DoorAnswer}'s.
 */
public final class BusDoor implements Door {
  private static final String NO_TOKEN = "the token is missing or wrong; send it as 'token'";
  private static final String NO_LINES =
      "field 'lines' must be a text of JSON objects, one a line; the message holds none";
  private static final String FULL =
      "the node has as many bytes in flight as ingest.maxInFlightBytes allows; send again later";

  private final PublishLane lane;
  private final Intake intake;
  private final Token token;
  private final DoorMeters meters;
  private final int maxLineBytes;
  private List<MessageConsumer<JsonObject>> consumers = List.of();

  public BusDoor(Node node, Intake intake, Token token) {
    this.lane = node.bus().publish();
    this.intake = intake;
    this.token = token;
    this.meters = new DoorMeters(node.meters(), "bus");
    this.maxLineBytes = node.config().ingest().limits().maxLineBytes();
  }

  @Override
  public Future<Void> open() {
    consumers = List.of(lane.onPublish(this::publish), lane.onBridged(this::bridged));
    return Future.all(consumers.stream().map(MessageConsumer::completion).toList()).mapEmpty();
  }

  private Future<JsonObject> bridged(JsonObject message) {
    boolean admitted = message.getValue("token", "") instanceof String text && token.matches(text);
    return admitted ? publish(message) : refuse(NO_TOKEN);
  }

  private Future<JsonObject> publish(JsonObject message) {
    if (!(message.getValue("lines") instanceof String lines)) {
      return refuse(NO_LINES);
    }
    if (intake.inFlight().isFull() || intake.inFlight().isClosing()) {
      meters.paused();
      return refuse(FULL);
    }
    Promise<JsonObject> answered = Promise.promise();
    Rejections rejections = new Rejections();
    Submission submission =
        intake.open(
            meters,
            rejections,
            done -> answered.complete(DoorAnswer.of(done.acknowledged(), rejections)));
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
