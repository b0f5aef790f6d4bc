import io.galop.extend.GalopApi;
import io.galop.extend.LiveRecord;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A consumer: publishes an alarm under alarm/&lt;topic&gt; when a value crosses a limit, and when it
 * is back. The alarm's id is made from the record's, so that several nodes may run the same rule.
 *
 * <p>Settings: filter, field, limit.
 */
public class LimitAlarm extends VerticleBase {
  private final GalopApi galop;
  private final Map<String, Boolean> above = new ConcurrentHashMap<>();

  public LimitAlarm(GalopApi galop) {
    this.galop = galop;
  }

  @Override
  public Future<?> start() {
    galop.consume(config().getString("filter"), this::handle);
    return Future.succeededFuture();
  }

  private Future<Void> handle(LiveRecord record) {
    String field = config().getString("field");
    if (!(record.getData().get(field) instanceof Number value)) {
      throw new IllegalArgumentException(record.getTopic() + " has no number '" + field + "'");
    }
    boolean isAbove = value.doubleValue() > config().getDouble("limit");
    if (isAbove == above.getOrDefault(record.getTopic(), false)) {
      return Future.succeededFuture();
    }
    above.put(record.getTopic(), isAbove);
    Map<String, Object> alarm = new LinkedHashMap<>();
    alarm.put("state", isAbove ? "high" : "normal");
    alarm.put("value", value);
    alarm.put("limit", galop.getSettings().get("limit"));
    String id = "alarm:" + record.getId().replace('#', '.');
    return galop.publish("alarm/" + record.getTopic(), alarm, id, record.getTimeUs());
  }
}
