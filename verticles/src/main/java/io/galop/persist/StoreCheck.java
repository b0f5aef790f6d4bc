package io.galop.persist;

import io.galop.config.GalopConfig;
import io.galop.config.Role;
import io.galop.config.persist.KafkaConfig;
import io.galop.config.persist.StoreConfig;
import java.util.ArrayList;
import java.util.List;

/** Whether the add-ons of stores are there, and like what is configured. */
public final class StoreCheck {
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
      if (stores.get(i) instanceof KafkaConfig store) {
        String path = "persist.cold.stores[" + i + "].kafka";
        StoreBricks.brick(store)
            .map(brick -> brick.problems(store))
            .orElse(
                List.of(
                    ": the add-on kafka is not there: run './galop add kafka', or put"
                        + " galop-kafka.jar into the directory lib beside galop.jar"))
            .forEach(problem -> problems.add(path + problem));
      }
    }
    return problems;
  }
}
