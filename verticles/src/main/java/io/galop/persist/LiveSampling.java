package io.galop.persist;

import io.galop.config.ConfigDiff;
import io.galop.config.GalopConfig;
import io.galop.config.persist.ArchiveConfig;
import io.galop.config.persist.ColdConfig;
import io.galop.config.persist.KafkaConfig;
import io.galop.config.persist.S3Config;
import io.galop.config.persist.SamplingConfig;
import io.galop.config.persist.StoreConfig;
import io.galop.node.LiveConfig;
import io.galop.yaml.Brick;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which records each store keeps, which may change while a node runs; what else a store is told may
 * not. From any thread.
 */
final class LiveSampling {
  /** The name of the embedded store. */
  static final String EMBEDDED = "embedded";

  private static final String STORES = "persist.cold.stores";
  private static final SamplingConfig ALL = SamplingConfig.every(1);

  private volatile Map<String, SamplingConfig> byStore;

  /** Goes by what is in force, and takes changes from now on. */
  LiveSampling(LiveConfig settings) {
    this.byStore = byStore(settings.current().persist().cold());
    settings.offer("persist.cold.every", this::take);
    settings.offerChecked(
        STORES,
        next -> check(settings.current().persist().cold().stores(), next.persist().cold().stores()),
        this::take);
  }

  private void take(GalopConfig next) {
    byStore = byStore(next.persist().cold());
  }

  private static Map<String, SamplingConfig> byStore(ColdConfig config) {
    Map<String, SamplingConfig> all = new HashMap<>();
    all.put(EMBEDDED, SamplingConfig.every(config.every()));
    config.stores().forEach(store -> all.put(store.name(), store.sampling()));
    return Map.copyOf(all);
  }

  /** What a store keeps now; one that is not of the cold tier keeps everything. */
  SamplingConfig of(String store) {
    return byStore.getOrDefault(store, ALL);
  }

  /**
   * What a list of stores may become while they run.
   *
   * @throws IllegalArgumentException naming what takes a restart
   */
  static void check(List<StoreConfig> before, List<StoreConfig> next) {
    if (before.size() != next.size()) {
      throw new IllegalArgumentException(STORES + ": another store, or one less, takes a restart");
    }
    for (int i = 0; i < next.size(); i++) {
      check(STORES + '[' + i + ']', before.get(i), next.get(i));
    }
  }

  private static void check(String path, StoreConfig before, StoreConfig next) {
    if (before.getClass() != next.getClass()) {
      throw new IllegalArgumentException(path + ": another kind of store takes a restart");
    }
    String brick = path + '.' + next.getClass().getAnnotation(Brick.class).value();
    for (ConfigDiff each : ConfigDiff.between(brick, (Record) before, (Record) next)) {
      String key = each.path().substring(brick.length() + 1);
      if (!isSampling(next, key)) {
        throw new IllegalArgumentException(
            "%s: takes a restart; of a store only what it keeps changes while it runs"
                .formatted(each.path()));
      }
    }
  }

  private static boolean isSampling(StoreConfig store, String key) {
    if (store instanceof ArchiveConfig || store instanceof S3Config) {
      return key.equals("topics") || key.equals("every");
    }
    return store instanceof KafkaConfig ? key.equals("topics") : key.startsWith("sampling.");
  }
}
