package io.galop.ingest;

import io.galop.fuzz.LogWatch;
import io.galop.fuzz.Pieces;
import io.galop.fuzz.Plug;
import io.galop.fuzz.Target;
import io.galop.ingest.mqtt.RawMqtt;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/**
 * The doors of a node over real sockets. After each input nothing is in flight, the log is quiet,
 * and a good record is taken.
 */
public abstract class DoorTarget implements Target {
  /** Of its own, since the will of a client may come after whatever was looked at. */
  private static final String GOOD_TOPIC = "well";

  private static final String GOOD = "{\"topic\":\"" + GOOD_TOPIC + "\",\"data\":{}}";

  final OpenDoors doors =
      new OpenDoors("ingest.limits.maxDepth=8", "ingest.http.maxBodyBytes=65536");
  private final LogWatch log = new LogWatch();

  /** Puts the input in. */
  abstract void put(byte[] input) throws Exception;

  /** Puts a good record in, which must be taken. */
  abstract void putGood() throws Exception;

  @Override
  public void run(byte[] input) throws Exception {
    put(input);
    awaitNothingInFlight();
    doors.taken.clear();
    putGood();
    long good = doors.records().stream().filter(r -> r.topic().equals(GOOD_TOPIC)).count();
    Taken.require(good == 1, "a good record came to " + good);
    doors.taken.clear();
    log.check();
  }

  /** With patience: classes are slow while the fuzzer looks into them for the first time. */
  private void awaitNothingInFlight() throws InterruptedException {
    long deadline = System.nanoTime() + 60_000_000_000L;
    while (inFlight() != 0 || overhead() != 0) {
      String what = inFlight() + " bytes stay in flight, and " + overhead() + " of overhead";
      Taken.require(System.nanoTime() - deadline < 0, what);
      Thread.sleep(1);
    }
  }

  private double overhead() {
    return doors.meters.get("galop.ingest.in.flight.overhead.bytes").gauge().value();
  }

  private double inFlight() {
    return doors.meters.get("galop.ingest.in.flight.bytes").gauge().value();
  }

  @Override
  public void close() {
    doors.close();
  }

  /** Bodies, by the first byte: compressed or what only says so, one object or lines. */
  public static final class Http extends DoorTarget {
    private static final int GZIPPED = 1;
    private static final int SAYS_GZIP = 2;
    private static final int LINES = 4;
    private static final int CUT_OFF = 8;
    private static final List<Integer> STATUS = List.of(202, 400, 403, 413, 415, 429);

    @Override
    void put(byte[] input) throws Exception {
      int how = Pieces.choice(input);
      byte[] text = Pieces.rest(input);
      byte[] body = (how & GZIPPED) != 0 ? gzip(text) : text;
      boolean says = (how & (GZIPPED | SAYS_GZIP)) != 0;
      boolean lines = (how & LINES) != 0;
      try (Plug plug = new Plug(port())) {
        boolean cut = (how & CUT_OFF) != 0;
        plug.write(head(lines ? "" : "/a/b", lines, says, body.length + (cut ? 1 : 0)));
        plug.write(body);
        if (!cut) {
          check(answer(plug), lines && ((how & SAYS_GZIP) == 0 || (how & GZIPPED) != 0), text);
        }
      }
    }

    private int port() {
      String url = doors.http("");
      return Integer.parseInt(url.substring(url.lastIndexOf(':') + 1));
    }

    private static String head(String topic, boolean lines, boolean gzip, int length) {
      return "POST /publish"
          + topic
          + " HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Type: application/"
          + (lines ? "x-ndjson" : "json")
          + (gzip ? "\r\nContent-Encoding: gzip" : "")
          + "\r\nContent-Length: "
          + length
          + "\r\n\r\n";
    }

    private static byte[] gzip(byte[] text) throws IOException {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
        gzip.write(text);
      }
      return out.toByteArray();
    }

    private static String answer(Plug plug) throws IOException {
      String answer = plug.read("");
      Taken.require(answer.startsWith("HTTP/1.1 "), "no answer: " + answer);
      int status = Integer.parseInt(answer.substring(9, 12));
      Taken.require(STATUS.contains(status), "the answer is " + answer);
      return answer;
    }

    private static void check(String answer, boolean lines, byte[] text) {
      JsonObject body = new JsonObject(answer.substring(answer.indexOf("\r\n\r\n")));
      if (!lines || body.getJsonArray("rejected") == null) {
        return;
      }
      JsonArray rejected = body.getJsonArray("rejected");
      long full =
          Arrays.stream(new String(text, StandardCharsets.ISO_8859_1).split("\n"))
              .filter(line -> !line.matches("[ \t\r]*"))
              .count();
      int more = body.getInteger("more", 0);
      int all = body.getInteger("accepted", 0) + rejected.size() + more;
      Taken.require(all == full, all + " of " + full + " lines are answered: " + answer);
    }

    @Override
    void putGood() throws Exception {
      try (Plug plug = new Plug(port())) {
        plug.write(head("/" + GOOD_TOPIC, false, false, 2) + "{}");
        String answer = answer(plug);
        Taken.require(answer.contains("{\"accepted\":1"), "a good record: " + answer);
      }
    }
  }

  /** Whatever comes, in pieces as large as the first byte says. */
  public static final class Tcp extends DoorTarget {
    @Override
    void put(byte[] input) throws Exception {
      try (Plug plug = new Plug(doors.port("tcp"))) {
        Pieces.of(Pieces.rest(input), Pieces.choice(input)).forEach(plug::write);
        plug.end();
        plug.read("");
      }
    }

    @Override
    void putGood() throws Exception {
      try (Plug plug = new Plug(doors.port("tcp"))) {
        plug.write(GOOD + "\n");
        String answer = plug.read("\n");
        Taken.require(answer.equals("{\"acked\":1}\n"), "a good record: " + answer);
      }
    }
  }

  /**
   * MQTT packets. By the first byte: behind a CONNECT of version 3.1.1 or 5, or from the beginning.
   */
  public static final class Mqtt extends DoorTarget {
    private static final byte[] CONNECT_4 = {
      16, 13, 0, 4, 'M', 'Q', 'T', 'T', 4, 2, 0, 60, 0, 1, 'f'
    };
    private static final byte[] CONNECT_5 = {
      16, 14, 0, 4, 'M', 'Q', 'T', 'T', 5, 2, 0, 60, 0, 0, 1, 'f'
    };

    @Override
    void put(byte[] input) throws Exception {
      int how = Pieces.choice(input) % 3;
      try (Plug plug = new Plug(doors.port("mqtt"))) {
        if (how > 0) {
          plug.write(how == 1 ? CONNECT_4 : CONNECT_5);
          Taken.require(plug.read() == 0x20, "no CONNACK");
        }
        plug.write(Pieces.rest(input));
        plug.end();
        plug.read("");
      }
    }

    @Override
    void putGood() throws Exception {
      RawMqtt.Who who = RawMqtt.Who.of(4, "good");
      try (RawMqtt client = new RawMqtt(doors.port("mqtt"), who)) {
        Taken.require(client.next().type() == RawMqtt.CONNACK, "no CONNACK");
        client.publish(1, false, 1, GOOD_TOPIC, "1");
        RawMqtt.Packet answer = client.next();
        Taken.require(answer.type() == RawMqtt.PUBACK, "a good record: " + answer.type());
      }
    }
  }
}
