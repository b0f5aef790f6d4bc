package io.galop.loadtest.experiments.lone;

import io.galop.loadtest.latency.Latencies;
import io.galop.loadtest.targets.Started;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Galop's tcp door, with or without a websocket that watches the topic. */
final class LoneNode implements DurableServer {
  private static final String TOPIC = "load/lone";
  private static final Pattern ACKED = Pattern.compile("\"acked\":(\\d+)");
  private static final Pattern REFUSED = Pattern.compile("\"(rejected|error)\":");

  private final String name;
  private final Started node;
  private final boolean isWatched;

  /**
   * @param node one that runs; it is closed by whoever has started it
   */
  LoneNode(String name, Started node, boolean isWatched) {
    this.name = name;
    this.node = node;
    this.isWatched = isWatched;
  }

  @Override
  public String name() {
    return name + (isWatched ? ", one watcher" : "");
  }

  @Override
  public List<Long> pids() {
    return node.target().pids();
  }

  @Override
  public DurableLink connect() throws IOException, InterruptedException {
    return new Link(
        new LineSocket(node.target().tcp()),
        isWatched ? Watcher.of(node.target().http(), TOPIC) : null);
  }

  @Override
  public void close() {}

  private static final class Link implements DurableLink {
    private static final long PATIENCE_SECONDS = 60;

    private final LineSocket door;
    private final @Nullable Watcher watcher;
    private long sent;

    private Link(LineSocket door, @Nullable Watcher watcher) {
      this.door = door;
      this.watcher = watcher;
    }

    @Override
    public void send(String data) throws IOException {
      sent++;
      door.write("{\"topic\":\"" + TOPIC + "\",\"data\":" + data + "}\n");
    }

    @Override
    public long awaitAcknowledged() throws IOException {
      String answer = door.readLine();
      Matcher acked = ACKED.matcher(answer);
      if (!acked.find() || REFUSED.matcher(answer).find()) {
        throw new IOException("the door answered " + answer);
      }
      return Long.parseLong(acked.group(1));
    }

    @Override
    public Histogram seen() throws InterruptedException {
      if (watcher == null) {
        return Latencies.histogram();
      }
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
      while (watcher.count() < sent && System.nanoTime() < deadline) {
        TimeUnit.MILLISECONDS.sleep(1);
      }
      return watcher.latencies();
    }

    @Override
    public void close() throws IOException, InterruptedException {
      door.close();
      if (watcher != null) {
        watcher.close();
      }
    }
  }
}
