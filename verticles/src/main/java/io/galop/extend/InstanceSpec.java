package io.galop.extend;

import io.galop.config.VerticleConfig;
import io.vertx.core.json.JsonObject;
import io.vertx.core.shareddata.Shareable;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is to be deployed: one instance of a verticle. Vert.x hands a factory no more than the name,
 * so it travels in the deployment's config until it is taken out there.
 *
 * @param label what the verticle is called in logs and meters
 * @param settings typed
 * @param instance from 0
 */
record InstanceSpec(VerticleConfig config, String label, Map<String, Object> settings, int instance)
    implements Shareable {
  private static final String KEY = "$galop.order";
  private static final int WAITING_BYTES = 8 << 20;
  private static final int IN_FLIGHT_BYTES = 4 << 20;
  private static final int STOP_MS = 5_000;

  /** An instance of a verticle of the configuration. */
  static InstanceSpec of(VerticleConfig config, String label, int instance) {
    return new InstanceSpec(config, label, Settings.typed(config.settings()), instance);
  }

  /** The config of the deployment: the settings, and this. */
  JsonObject toConfig() {
    JsonObject config = new JsonObject();
    settings.forEach(config::put);
    return config.put(KEY, this);
  }

  /** Takes the spec out of a deployment's config; a verticle may deploy others without one. */
  static InstanceSpec take(@Nullable JsonObject deployed, String name) {
    if (deployed != null && deployed.remove(KEY) instanceof InstanceSpec spec) {
      return spec;
    }
    VerticleConfig config =
        new VerticleConfig(
            name,
            1,
            Map.of(),
            true,
            WAITING_BYTES,
            VerticleConfig.Overflow.DROP_OLDEST,
            IN_FLIGHT_BYTES,
            STOP_MS);
    return new InstanceSpec(config, name, deployed == null ? Map.of() : deployed.getMap(), 0);
  }
}
