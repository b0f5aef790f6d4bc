package io.galop.ingest.kafka;

import io.galop.config.ingest.IngestConfig;
import io.galop.config.ingest.KafkaSourceConfig;
import io.galop.config.ingest.KafkaSourceConfig.OnBad;
import io.galop.ingest.intake.DoorMeters;
import io.galop.ingest.parse.Envelope;
import io.galop.ingest.parse.RecordReader;
import io.galop.ingest.parse.RecordSink;
import io.galop.json.JsonString;
import io.galop.record.DeadLetterData;
import io.galop.record.Reason;
import io.galop.record.Record;
import io.galop.record.Rejection;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Arrays;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Makes Records of the messages of a source, and dead letters of the bad ones. For one thread. */
final class KafkaRecords {
  private static final int MOST_TEXT_BYTES = 8192;
  private static final int LEAST_TEXT_BYTES = 2048;

  /** Of one character that is not plain in JSON. */
  private static final int MOST_SIGN_BYTES = 6;

  /** Where a message is only tried. */
  private static final String NOWHERE = "x";

  private final KafkaSourceConfig source;
  private final DoorMeters meters;
  private final KafkaMeters counts;
  private final RecordReader reader;
  private final TopicTemplate template;
  private final int maxIdBytes;
  private final int maxDataBytes;

  KafkaRecords(
      KafkaSourceConfig source,
      IngestConfig config,
      int shards,
      DoorMeters meters,
      KafkaMeters counts) {
    this.source = source;
    this.meters = meters;
    this.counts = counts;
    this.reader = new RecordReader(config, shards, Clock.systemUTC());
    this.template = new TopicTemplate(source.topic());
    this.maxIdBytes = config.limits().maxIdBytes();
    this.maxDataBytes = config.limits().maxDataBytes();
  }

  /** Where the dead letters of a source go. */
  static String letterTopic(KafkaSourceConfig source) {
    return DeadLetterData.ROOT + "/kafka/" + source.name();
  }

  /** Reads what is open of a chunk. */
  KafkaAttempt read(KafkaChunk chunk) {
    KafkaAttempt attempt = new KafkaAttempt(chunk, meters);
    chunk.open().stream().forEach(number -> read(attempt, number));
    return attempt;
  }

  private void read(KafkaAttempt attempt, int number) {
    ConsumerRecord<byte[], byte[]> message = attempt.chunk().message(number);
    Outcome outcome = new Outcome(attempt, number, message);
    if (message.value() == null) {
      outcome.bad(Reason.MALFORMED, "the message has no value (a tombstone)");
      return;
    }
    Optional<Rejection> wrong = template.hasFields() ? wrong(message.value()) : Optional.empty();
    if (wrong.isPresent()) {
      outcome.reject(wrong.get());
      return;
    }
    long timeUs = timeUs(message);
    if (timeUs > Envelope.LATEST_US) {
      outcome.bad(Reason.BAD_TIME, Envelope.TIME_RULE);
      return;
    }
    try {
      byte[] topic = template.of(message).getBytes(StandardCharsets.UTF_8);
      reader.readParts(topic, id(message), timeUs, message.value(), number + 1, outcome);
    } catch (TopicTemplate.Missing e) {
      outcome.bad(Reason.TOPIC_NOT_ALLOWED, String.valueOf(e.getMessage()));
    }
  }

  /** A message's own time, when its producer gave one; anything beyond the latest is too late. */
  private static long timeUs(ConsumerRecord<byte[], byte[]> message) {
    long timeMs = Math.min(message.timestamp(), Envelope.LATEST_US / 1000 + 1);
    return timeMs < 0 ? RecordReader.NO_TIME : timeMs * 1000;
  }

  /**
   * The same one whenever and by whomever the message is read. A topic whose name leaves no room is
   * told by the first and last characters of it and a hash.
   */
  private String id(ConsumerRecord<byte[], byte[]> message) {
    String end = "-" + message.partition() + "-" + message.offset();
    String topic = message.topic();
    int room = maxIdBytes - source.idPrefix().length() - end.length();
    if (topic.length() > room) {
      String hash = Integer.toHexString(topic.hashCode());
      topic = topic.substring(0, Math.max(0, room - hash.length() - 1)) + "." + hash;
    }
    return source.idPrefix() + topic + end;
  }

  /** No letter may be larger than a record: its owner would refuse it each time. */
  private int mostTextBytes() {
    return Math.min(MOST_TEXT_BYTES, Math.max(LEAST_TEXT_BYTES, maxDataBytes / MOST_SIGN_BYTES));
  }

  /** What is wrong with the data, wherever it goes; empty if nothing is. */
  private Optional<Rejection> wrong(byte[] value) {
    Trial trial = new Trial();
    reader.readObject(NOWHERE, value, 0, trial);
    return trial.wrong;
  }

  /** Keeps what is wrong with the data of a message; its topic is another matter. */
  private static final class Trial implements RecordSink {
    private Optional<Rejection> wrong = Optional.empty();

    @Override
    public void accept(Record record, int shard, int line) {}

    @Override
    public void reject(Rejection rejection) {
      if (rejection.reason() != Reason.TOPIC_NOT_ALLOWED) {
        wrong = Optional.of(rejection);
      }
    }
  }

  /** What becomes of one message. */
  private final class Outcome implements RecordSink {
    private final KafkaAttempt attempt;
    private final int number;
    private final ConsumerRecord<byte[], byte[]> message;

    private Outcome(KafkaAttempt attempt, int number, ConsumerRecord<byte[], byte[]> message) {
      this.attempt = attempt;
      this.number = number;
      this.message = message;
    }

    @Override
    public void accept(Record record, int shard, int line) {
      attempt.collected().accept(record, shard, line);
    }

    @Override
    public void reject(Rejection rejection) {
      bad(rejection.reason(), rejection.detail());
    }

    private void bad(Reason reason, String detail) {
      attempt.collected().reject(new Rejection(number + 1, reason, detail));
      if (source.onBad() == OnBad.SKIP) {
        counts.skipped.increment();
      } else {
        attempt.letter(number, letter(reason, detail));
      }
    }

    private Record letter(Reason reason, String detail) {
      String id = id(message);
      long timeUs = Math.max(0, Math.min(timeUs(message), Envelope.LATEST_US));
      Record record = new Record(id, message.topic(), timeUs, data());
      byte[] letter = DeadLetterData.of(record, reason, detail);
      return new Record(id, letterTopic(source), timeUs, letter);
    }

    /**
     * As it came if it is an object within the limits, but without line breaks, since letters are
     * lines; else {@code {"text":…}}, cut off.
     */
    private byte[] data() {
      byte[] value = message.value() == null ? new byte[0] : message.value();
      if (value.length <= maxDataBytes && wrong(value).isEmpty()) {
        return joined(value);
      }
      byte[] start = Arrays.copyOf(value, Math.min(value.length, mostTextBytes()));
      String text = new String(start, StandardCharsets.UTF_8);
      return ("{\"text\":" + JsonString.quoted(text) + "}").getBytes(StandardCharsets.UTF_8);
    }

    /** A copy: the message may be read again. In valid JSON they are between tokens. */
    private byte[] joined(byte[] value) {
      byte[] line = value.clone();
      for (int i = 0; i < line.length; i++) {
        if (line[i] == '\n' || line[i] == '\r') {
          line[i] = ' ';
        }
      }
      return line;
    }
  }
}
