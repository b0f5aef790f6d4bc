package io.galop.ingest.mqtt;

import io.galop.config.ingest.MqttDoorConfig.OnWill;
import io.galop.ingest.intake.DoorMeters;
import io.galop.ingest.intake.Intake;
import io.galop.ingest.intake.Rejections;
import io.galop.ingest.intake.Submission;
import io.galop.ingest.parse.RecordSink;
import io.galop.ingest.publisher.Publisher;
import io.galop.record.Reason;
import io.galop.record.Record;
import io.galop.record.Rejection;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.mqtt.MqttWill;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a client wants to have published when it vanishes: its will. For one event loop. */
final class MqttFarewell {
  private final Publisher publisher;
  private final MqttPayload payload;
  private final Intake intake;
  private final DoorMeters meters;
  private final String topic;
  private final byte[] bytes;
  private final boolean retain;
  private final boolean gone;

  private MqttFarewell(
      MqttWill will,
      OnWill onWill,
      Publisher publisher,
      MqttPayload payload,
      Intake intake,
      DoorMeters meters) {
    Buffer message = will.getWillMessage();
    this.publisher = publisher;
    this.payload = payload;
    this.intake = intake;
    this.meters = meters;
    this.topic = will.getWillTopic();
    this.bytes = message == null ? new byte[0] : message.getBytes();
    this.retain = will.isWillRetain();
    this.gone = onWill == OnWill.GONE;
  }

  /** That of a client, if it has one and the configuration wants it. */
  static Optional<MqttFarewell> of(
      @Nullable MqttWill will,
      OnWill onWill,
      Publisher publisher,
      MqttPayload payload,
      Intake intake,
      DoorMeters meters) {
    return onWill == OnWill.IGNORE || will == null || !will.isWillFlag()
        ? Optional.empty()
        : Optional.of(new MqttFarewell(will, onWill, publisher, payload, intake, meters));
  }

  /** Why it could not be published; said when the client comes, since later nobody can be told. */
  Optional<Rejection> problem() {
    Rejections found = new Rejections(1);
    read(
        new RecordSink() {
          @Override
          public void accept(Record record, int shard, int line) {
            if (!publisher.mayPublish(record.topic())) {
              String detail = publisher.notAllowed(record.topic());
              reject(new Rejection(line, Reason.TOPIC_NOT_ALLOWED, detail));
            }
          }

          @Override
          public void reject(Rejection rejection) {
            found.add(rejection);
          }
        });
    return found.listed().stream().findFirst();
  }

  private void read(RecordSink sink) {
    if (gone) {
      payload.readGone(topic, sink);
    } else {
      payload.read(topic, bytes, retain, sink);
    }
  }

  /**
   * Publishes it, when there is room: until then it takes no more memory than it did while its
   * client was there.
   *
   * @return what became of it: empty if it is acknowledged
   */
  Future<Optional<Rejection>> publish() {
    Promise<Optional<Rejection>> told = Promise.promise();
    if (intake.inFlight().isFull(publisher)) {
      intake.inFlight().whenRoom(publisher, intake.context(), () -> send(told));
    } else {
      send(told);
    }
    return told.future();
  }

  private void send(Promise<Optional<Rejection>> told) {
    Rejections refused = new Rejections(1);
    Submission submission =
        intake.open(
            publisher,
            meters,
            refused,
            done -> told.complete(refused.listed().stream().findFirst()));
    read(submission);
    submission.close();
  }
}
