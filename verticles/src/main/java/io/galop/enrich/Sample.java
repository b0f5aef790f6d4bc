package io.galop.enrich;

import io.galop.config.enrich.SampleConfig;
import io.galop.record.Record;
import io.micrometer.core.instrument.Counter;
import java.util.List;

/** Lets one record in so many of each topic pass. */
final class Sample implements EachRecord.Step {
  private final int every;
  private final RecentTopics<int[]> seen;
  private final Counter dropped;

  Sample(SampleConfig config, Counter dropped, Counter forgotten) {
    this.every = config.every();
    this.seen = new RecentTopics<>(config.maxTopics(), () -> new int[1], forgotten);
    this.dropped = dropped;
  }

  @Override
  public void apply(Record record, List<Record> to) {
    int[] count = seen.of(record.topic());
    if (count[0] == 0) {
      to.add(record);
    } else {
      dropped.increment();
    }
    count[0] = (count[0] + 1) % every;
  }
}
