package io.galop.persist;

import io.galop.config.GalopConfig;
import io.galop.config.Role;
import io.galop.config.persist.CassandraConfig;
import io.galop.config.persist.KafkaConfig;
import io.galop.config.persist.S3Config;
import io.galop.config.persist.StoreConfig;
import io.galop.yaml.Brick;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Whether the add-ons of stores are there, and like what is configured. */
public final class StoreCheck {
  private static final Set<Class<? extends StoreConfig>> IN_ADD_ONS =
      Set.of(CassandraConfig.class, KafkaConfig.class, S3Config.class);

  private StoreCheck() {}

  /**
   * Looks at the stores of add-ons; blocks.
   *
   * @return what is wrong, each a sentence that begins with a dotted path
   */
  public static List<String> problems(GalopConfig config) {
    List<String> problems = new ArrayList<>();
    List<StoreConfig> stores = config.persist().cold().stores();
    for (int i = 0; i < stores.size() && config.runs(Role.PERSIST); i++) {
      StoreConfig store = stores.get(i);
      if (IN_ADD_ONS.contains(store.getClass())) {
        String kind = store.getClass().getAnnotation(Brick.class).value();
        String path = "persist.cold.stores[" + i + "]." + kind;
        StoreBricks.brick(store)
            .map(brick -> brick.problems(store))
            .orElse(List.of(missing(kind)))
            .forEach(problem -> problems.add(path + problem));
      }
    }
    return problems;
  }

  private static String missing(String addOn) {
    return (": the add-on %1$s is not there: run './galop add %1$s', or put galop-%1$s.jar"
            + " into the directory lib beside galop.jar")
        .formatted(addOn);
  }
}
