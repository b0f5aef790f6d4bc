package io.galop.persist.sink;

import io.galop.config.persist.SamplingConfig;
import io.galop.config.persist.SinkConfig;
import io.galop.persist.store.Store;
import java.nio.file.Path;

/** A sink that fills a store from a Log of its own. */
public final class RunningSink implements AutoCloseable {
  private final SinkFixture fixture;
  private final Store store;
  private final Sink sink;

  RunningSink(Path directory, Store store, SinkConfig config) {
    this.fixture = new SinkFixture(directory);
    this.store = store;
    this.sink = fixture.start("test", store, config, SamplingConfig.every(1));
  }

  public SinkFixture fixture() {
    return fixture;
  }

  public Sink sink() {
    return sink;
  }

  /** Appends records to the Log, see {@link SinkFixture#append}. */
  public void append(String topic, long first, int count) throws Exception {
    fixture.append(topic, first, count);
  }

  /** What a meter of the sink has counted, see {@link SinkFixture#count}. */
  public double count(String meter) {
    return fixture.count(meter);
  }

  /** Waits until the store has all that was appended. */
  public void awaitStored() throws InterruptedException {
    SinkFixture.until(() -> sink.lagBytes() == 0);
  }

  @Override
  public void close() {
    sink.close();
    store.close();
    fixture.close();
  }
}
