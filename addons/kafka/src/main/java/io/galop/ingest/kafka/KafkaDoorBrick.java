package io.galop.ingest.kafka;

import io.galop.config.ingest.IngestConfig;
import io.galop.config.ingest.KafkaSourceConfig;
import io.galop.ingest.intake.Door;
import io.galop.ingest.intake.DoorBrick;
import io.galop.ingest.intake.Intake;
import io.galop.kafka.ClientProperties;
import io.galop.node.Node;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Makes kafka doors; sources are spread over the event loops. */
public final class KafkaDoorBrick implements DoorBrick {
  @Override
  public String word() {
    return "kafka";
  }

  @Override
  public Optional<Door> of(Vertx vertx, Node node, Intake intake, int index, int of) {
    List<KafkaSourceConfig> all = node.config().ingest().kafka().sources();
    List<KafkaFeed> feeds = new ArrayList<>();
    for (int i = index; i < all.size(); i += of) {
      feeds.add(new KafkaFeed(all.get(i), node, intake));
    }
    return feeds.isEmpty() ? Optional.empty() : Optional.of(new KafkaDoor(feeds));
  }

  @Override
  public List<String> problems(IngestConfig config) {
    List<String> problems = new ArrayList<>();
    for (int i = 0; i < config.kafka().sources().size(); i++) {
      String path = "ingest.kafka.sources[" + i + "]";
      ClientProperties.problems(config.kafka().sources().get(i))
          .forEach(problem -> problems.add(path + problem));
    }
    return problems;
  }
}
