package io.galop.config.ingest;

import io.galop.yaml.Doc;
import java.util.List;

/** Records out of answers of other systems, which are asked again and again. */
public record PollDoorConfig(
    @Doc(
            "The sources. One node polls each, so all nodes with the role ingest need "
                + "the same list.")
        List<PollSourceConfig> sources) {
  public PollDoorConfig {
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
