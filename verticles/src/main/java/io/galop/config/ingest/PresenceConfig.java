package io.galop.config.ingest;

import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;
import java.util.List;

/** Records of how many viewers there are. */
public record PresenceConfig(
    @Doc(
            "Filters whose viewers are counted every second; $presence/… has a record of each "
                + "change. All nodes with the role ingest need the same list.")
        @Default("[]")
        List<String> topics,
    @Doc("How long nobody must watch until occupied is false.")
        @Default("5000")
        @Range(min = 0, max = 3_600_000)
        long vacatedAfterMs) {
  private static final int MOST = 1_000;

  public PresenceConfig {
    topics = List.copyOf(topics);
    if (topics.size() > MOST) {
      throw new IllegalArgumentException("topics must be at most " + MOST);
    }
    if (topics.stream().distinct().count() < topics.size()) {
      throw new IllegalArgumentException("topics must name each filter once");
    }
  }
}
