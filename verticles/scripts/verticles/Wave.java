import io.galop.extend.GalopApi;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.Map;

/**
 * A source: publishes a wave that goes up to {@code high} and down again, one step at a time.
 *
 * <p>Settings: topic, everyMs, high.
 */
public class Wave extends VerticleBase {
  private final GalopApi galop;
  private int n;

  public Wave(GalopApi galop) {
    this.galop = galop;
  }

  @Override
  public Future<?> start() {
    int high = config().getInteger("high");
    galop.every(
        config().getInteger("everyMs"),
        () -> {
          int step = n++ % (2 * high);
          int value = step <= high ? step : 2 * high - step;
          return galop.publish(config().getString("topic"), Map.of("value", value));
        });
    return Future.succeededFuture();
  }
}
