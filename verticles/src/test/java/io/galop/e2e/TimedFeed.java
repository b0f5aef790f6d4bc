package io.galop.e2e;

import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.BitSet;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/**
 * Numbered records at a steady rate over TCP, and one browser that measures how long each is under
 * way: from the moment at which it was due to be sent, so that a publisher who is held up counts.
 */
final class TimedFeed implements AutoCloseable, WebSocket.Listener {
  static final int TOPICS = 200;
  private static final long PERIOD_MS = 20;
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  /** The end of the snapshot, of nothing, shows that from then on all is sent. */
  private static final String REGISTER =
      "{\"type\":\"register\",\"address\":\"feed/#\",\"headers\":{\"snapshot\":\"true\"}}";

  private static final String PADDING = "x".repeat(200);
  private final int perPeriod;
  private final Thread publisher = new Thread(this::publish, "feed");
  private final Thread answers = new Thread(this::readAnswers, "answers to the feed");
  private final StringBuilder text = new StringBuilder();
  private final BitSet seen = new BitSet();
  private final WebSocket socket;
  private LongStream.Builder delaysUs = LongStream.builder();
  private boolean isMeasuring;
  private final Socket door;
  private volatile boolean isLive;
  private volatile boolean isStopped;
  private volatile int sent;
  private volatile int acknowledged;
  private volatile Throwable failure;

  /**
   * How long records were under way in a window of time, in milliseconds.
   *
   * @param records how many
   */
  record Delays(int records, double medianMs, double p99Ms, double maxMs) {
    private static Delays of(long[] delaysUs) {
      Arrays.sort(delaysUs);
      return new Delays(delaysUs.length, at(delaysUs, 0.5), at(delaysUs, 0.99), at(delaysUs, 1));
    }

    private static double at(long[] sorted, double share) {
      int index = Math.max(0, (int) Math.ceil(share * sorted.length) - 1);
      return sorted.length == 0 ? Double.NaN : sorted[index] / 1000.0;
    }
  }

  /** Starts with a rate in records per second. */
  TimedFeed(GalopProcess node, int perSecond) throws IOException {
    String tcp = node.address("tcp");
    int colon = tcp.indexOf(':');
    this.door = new Socket(tcp.substring(0, colon), Integer.parseInt(tcp.substring(colon + 1)));
    this.perPeriod = Math.max(1, (int) (perSecond * PERIOD_MS / 1000));
    String live = "ws" + node.http("/live/websocket").toString().substring("http".length());
    this.socket = HTTP.newWebSocketBuilder().buildAsync(URI.create(live), this).join();
    socket.sendText(REGISTER, true).join();
    Await.until("the browser is live", 120, () -> isLive);
    publisher.start();
    answers.start();
  }

  /** Records per second. */
  long rate() {
    return perPeriod * 1000 / PERIOD_MS;
  }

  static String topic(int n) {
    return "feed/" + n % TOPICS;
  }

  static JsonObject data(int n) {
    return new JsonObject().put("n", n).put("padding", PADDING);
  }

  private void publish() {
    try {
      OutputStream out = door.getOutputStream();
      long dueNs = System.nanoTime();
      for (int next = 0; !isStopped; next += perPeriod) {
        long leftNs = dueNs - System.nanoTime();
        if (leftNs > 0) {
          TimeUnit.NANOSECONDS.sleep(leftNs);
        }
        long lateUs = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - dueNs);
        out.write(lines(next, nowUs() - lateUs));
        sent = next + perPeriod;
        dueNs += TimeUnit.MILLISECONDS.toNanos(PERIOD_MS);
      }
    } catch (IOException | InterruptedException e) {
      failure = e;
    }
  }

  private static long nowUs() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
  }

  private byte[] lines(int first, long dueUs) {
    StringBuilder lines = new StringBuilder();
    for (int n = first; n < first + perPeriod; n++) {
      lines.append(
          "{\"topic\":\"%s\",\"id\":\"f%d\",\"time\":%d,\"data\":%s}\n"
              .formatted(topic(n), n, dueUs, data(n).encode()));
    }
    return lines.toString().getBytes(StandardCharsets.UTF_8);
  }

  private void readAnswers() {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(door.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        acknowledged = new JsonObject(line).getInteger("acked");
      }
    } catch (IOException | RuntimeException e) {
      failure = e;
    }
  }

  @Override
  public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
    text.append(part);
    if (last) {
      onMessage(new JsonObject(text.toString()), nowUs());
      text.setLength(0);
    }
    from.request(1);
    return null;
  }

  private synchronized void onMessage(JsonObject message, long atUs) {
    isLive |= "live".equals(message.getString("type"));
    if ("rec".equals(message.getString("type"))) {
      JsonObject body = message.getJsonObject("body");
      seen.set(body.getJsonObject("data").getInteger("n"));
      if (isMeasuring) {
        delaysUs.add(atUs - body.getLong("time"));
      }
    }
  }

  /** Measures for so long. */
  Delays measure(long ms) throws InterruptedException {
    synchronized (this) {
      delaysUs = LongStream.builder();
      isMeasuring = true;
    }
    TimeUnit.MILLISECONDS.sleep(ms);
    synchronized (this) {
      isMeasuring = false;
      return Delays.of(delaysUs.build().toArray());
    }
  }

  /** How many of the numbers below a bound the browser was not sent. */
  synchronized int unseen(int below) {
    return below - seen.get(0, below).cardinality();
  }

  /** Ends it; how many records there were. */
  int stop() throws InterruptedException {
    isStopped = true;
    publisher.join();
    Await.until("all is acknowledged", 120, () -> failure != null || acknowledged == sent);
    if (failure != null) {
      throw new AssertionError("the feed broke off", failure);
    }
    return sent;
  }

  @Override
  public void close() throws IOException, InterruptedException {
    isStopped = true;
    door.close();
    publisher.join();
    answers.join();
    socket.abort();
  }
}
