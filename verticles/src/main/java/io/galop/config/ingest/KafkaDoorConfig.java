package io.galop.config.ingest;

import io.galop.yaml.Doc;
import java.util.List;

/** Records of topics of Kafka; needs the add-on. */
public record KafkaDoorConfig(
    @Doc("The sources. Nodes with the same group share the partitions.")
        List<KafkaSourceConfig> sources) {
  public KafkaDoorConfig {
    sources = List.copyOf(sources);
    for (int i = 0; i < sources.size(); i++) {
      String name = sources.get(i).name();
      if (sources.stream().filter(other -> other.name().equals(name)).count() > 1) {
        throw new IllegalArgumentException(
            "sources[" + i + "] must have a name of its own, not another's '" + name + "'");
      }
    }
  }
}
