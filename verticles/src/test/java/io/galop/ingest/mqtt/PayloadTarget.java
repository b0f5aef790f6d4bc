package io.galop.ingest.mqtt;

import io.galop.config.ingest.IngestConfig;
import io.galop.fuzz.Pieces;
import io.galop.fuzz.Target;
import io.galop.ingest.Taken;
import io.galop.ingest.parse.JsonScanner;
import io.galop.ingest.parse.RecordReader;
import io.galop.record.Reason;
import java.nio.charset.StandardCharsets;
import java.time.Clock;

/** What reads the payloads of MQTT publishers, without a socket. */
public final class PayloadTarget {
  private static final int SHARDS = 16;

  private PayloadTarget() {}

  /** Payloads of MQTT messages; the first byte says whether they are retained. */
  public static Target payload() {
    IngestConfig config = Taken.config();
    RecordReader reader = new RecordReader(config, SHARDS, Clock.systemUTC());
    MqttPayload payload = new MqttPayload(reader, config);
    Taken taken = new Taken();
    return input -> {
      byte[] bytes = Pieces.rest(input);
      taken.begin();
      payload.read("a/b", bytes, Pieces.choice(input) % 2 == 1, taken);
      Taken.require(taken.all() == 1, "it came to " + taken.all());
      boolean isText = JsonScanner.isUtf8(bytes) && bytes.length > 0 && bytes.length < 150;
      String text = new String(bytes, StandardCharsets.UTF_8);
      boolean refused = taken.lastRejection() != null;
      Reason reason = refused ? taken.lastRejection().reason() : null;
      boolean limit = refused && reason != Reason.MALFORMED;
      boolean broken = text.matches("(?s)[ \t\r\n]*\\{.*") && !Taken.isJson(text);
      Taken.require(!isText || limit || refused == broken, "refused: " + refused + ": " + text);
    };
  }
}
