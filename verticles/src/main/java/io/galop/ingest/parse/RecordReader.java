package io.galop.ingest.parse;

import io.galop.config.ingest.IngestConfig;
import io.galop.config.ingest.LimitsConfig;
import io.galop.record.Reason;
import io.galop.record.Record;
import io.galop.record.Rejection;
import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;
import java.util.function.Supplier;

/**
 * Makes Records of bytes, and says of each that is refused which field broke which rule. Nothing is
 * made of the data but a copy of its bytes: no JSON tree. For one thread.
 *
 * <p>What is not given is made: the id as {@link RecordIds} does, the time as now.
 */
public final class RecordReader {
  /** Says that no time was given. */
  public static final long NO_TIME = -1;

  private final LimitsConfig limits;
  private final Clock clock;
  private final Supplier<String> ids;
  private final TopicTable topics;
  private final JsonScanner scanner;
  private final Envelope envelope;

  public RecordReader(IngestConfig config, int shards, Clock clock) {
    this(config, shards, clock, new RecordIds()::next);
  }

  /** With ids of its own for records that have none. */
  public RecordReader(IngestConfig config, int shards, Clock clock, Supplier<String> ids) {
    this.ids = ids;
    this.limits = config.limits();
    this.clock = clock;
    this.topics = new TopicTable(config, shards);
    this.scanner = new JsonScanner(limits.maxDepth(), limits.maxFields());
    this.envelope = new Envelope(scanner, topics);
  }

  /** Reads {@code {"topic":…,"data":{…},"id":…,"time":…}}; a blank line is passed over. */
  public void readLine(byte[] bytes, int from, int to, int line, RecordSink sink) {
    if (isBlank(bytes, from, to)) {
      return;
    }
    if (!envelope.read(bytes, from, to)) {
      reject(sink, line, envelope.reason(), envelope.wrong());
    } else if (!envelope.hasTopic()) {
      reject(sink, line, Reason.MALFORMED, "field 'topic' is missing; name the topic");
    } else {
      readRest(envelope.topic(), bytes, line, sink);
    }
  }

  /** Reads {@code {"data":{…},"id":…,"time":…}} for a topic that is named elsewhere. */
  public void readEnvelope(String topic, byte[] bytes, int line, RecordSink sink) {
    if (!envelope.read(bytes, 0, bytes.length)) {
      reject(sink, line, envelope.reason(), envelope.wrong());
    } else if (envelope.hasTopic()) {
      reject(sink, line, Reason.UNKNOWN_FIELD, "field 'topic' is named elsewhere; leave it out");
    } else {
      readRest(topics.of(topic), bytes, line, sink);
    }
  }

  /** The same for a topic that only drills may publish to. */
  public void readDrill(String topic, byte[] bytes, int line, RecordSink sink) {
    if (!envelope.read(bytes, 0, bytes.length)) {
      reject(sink, line, envelope.reason(), envelope.wrong());
    } else {
      readRest(topics.ofDrill(topic), bytes, line, sink);
    }
  }

  private void readRest(TopicTable.Entry topic, byte[] bytes, int line, RecordSink sink) {
    if (!envelope.hasData()) {
      reject(sink, line, Reason.MALFORMED, "field 'data' is missing; send a JSON object as data");
      return;
    }
    if (envelope.hasId() && !isGood(envelope.id(), line, sink)) {
      return;
    }
    String id = envelope.hasId() ? envelope.id() : ids.get();
    long timeUs = envelope.hasTime() ? envelope.timeUs() : nowUs();
    make(topic, id, timeUs, bytes, envelope.dataFrom(), envelope.dataTo(), line, sink);
  }

  /** Reads bytes that are the data, and have to be there. */
  public void readObject(String topic, byte[] bytes, int line, RecordSink sink) {
    readParts(topics.of(topic), ids.get(), nowUs(), bytes, 0, bytes.length, line, sink);
  }

  /** Reads a line or body that is the data; a blank one is passed over. */
  public void readData(String topic, byte[] bytes, int from, int to, int line, RecordSink sink) {
    if (!isBlank(bytes, from, to)) {
      readParts(topics.of(topic), ids.get(), nowUs(), bytes, from, to, line, sink);
    }
  }

  /**
   * Takes a record whose parts came apart from each other.
   *
   * @param topic in UTF-8, not checked yet
   * @param id empty if none was given
   * @param timeUs {@link #NO_TIME} if none was given
   */
  public void readParts(
      byte[] topic, String id, long timeUs, byte[] data, int line, RecordSink sink) {
    if (!JsonScanner.isUtf8(topic)) {
      reject(sink, line, Reason.MALFORMED, "field 'topic' is not UTF-8; encode it so");
      return;
    }
    if (!id.isEmpty() && !isGood(id, line, sink)) {
      return;
    }
    String known = id.isEmpty() ? ids.get() : id;
    long when = timeUs == NO_TIME ? nowUs() : timeUs;
    TopicTable.Entry entry = topics.of(topic, 0, topic.length);
    readParts(entry, known, when, data, 0, data.length, line, sink);
  }

  private boolean isGood(String id, int line, RecordSink sink) {
    String wrong = RecordIds.wrong(id, limits.maxIdBytes());
    if (!wrong.isEmpty()) {
      reject(sink, line, Reason.BAD_ID, "field 'id' " + wrong + "; send another or none");
    }
    return wrong.isEmpty();
  }

  private void readParts(
      TopicTable.Entry topic,
      String id,
      long timeUs,
      byte[] bytes,
      int from,
      int to,
      int line,
      RecordSink sink) {
    scanner.over(bytes, to);
    int start = scanner.space(from);
    int end = scanner.at(start) == '{' ? scanner.value(start) : scanner.unexpected(start);
    int rest = end < 0 ? end : scanner.space(end);
    if (rest >= 0 && rest < to) {
      rest = scanner.unexpected(rest);
    }
    if (rest < 0) {
      reject(sink, line, scanner.reason(), "the data is no JSON object: " + scanner.sentence(from));
    } else {
      make(topic, id, timeUs, bytes, start, end, line, sink);
    }
  }

  private void make(
      TopicTable.Entry topic,
      String id,
      long timeUs,
      byte[] bytes,
      int from,
      int to,
      int line,
      RecordSink sink) {
    if (!topic.isAllowed()) {
      reject(sink, line, Reason.TOPIC_NOT_ALLOWED, topic.sentence());
    } else if (to - from > limits.maxDataBytes()) {
      reject(sink, line, Reason.TOO_LARGE, tooLarge(to - from));
    } else {
      byte[] data = Arrays.copyOfRange(bytes, from, to);
      if (scanner.hasLineBreaks()) {
        joinLines(data);
      }
      sink.accept(new Record(id, topic.topic(), timeUs, data), topic.shard(), line);
    }
  }

  /**
   * History and other doors are lines of records, so none may hold a line break. In valid JSON one
   * can only be white space between tokens, so a blank serves as well.
   */
  private static void joinLines(byte[] data) {
    for (int i = 0; i < data.length; i++) {
      if (data[i] == '\n' || data[i] == '\r') {
        data[i] = ' ';
      }
    }
  }

  private String tooLarge(int bytes) {
    return "field 'data' has "
        + bytes
        + " bytes, more than the "
        + limits.maxDataBytes()
        + " allowed; send less, or raise ingest.limits.maxDataBytes";
  }

  /** What to say of a line that is too long to be read at all. */
  public String tooLongLine() {
    return "the line is longer than "
        + limits.maxLineBytes()
        + " bytes, more than any record within the limits needs; send less data, or raise"
        + " ingest.limits.maxDataBytes";
  }

  private static boolean isBlank(byte[] bytes, int from, int to) {
    for (int i = from; i < to; i++) {
      byte b = bytes[i];
      if (b != ' ' && b != '\t' && b != '\r' && b != '\n') {
        return false;
      }
    }
    return true;
  }

  private long nowUs() {
    return us(clock);
  }

  /** What a clock says, in microseconds since the epoch. */
  public static long us(Clock clock) {
    Instant now = clock.instant();
    return now.getEpochSecond() * 1_000_000 + now.getNano() / 1_000;
  }

  private static void reject(RecordSink sink, int line, Reason reason, String detail) {
    sink.reject(new Rejection(line, reason, detail));
  }
}
