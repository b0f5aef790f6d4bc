package io.galop.ingest.mqtt;

import io.galop.ingest.parse.JsonText;
import io.galop.record.Reason;
import io.galop.record.Rejection;
import io.vertx.core.Vertx;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says in the log what was refused, where senders cannot be told: of each reason the first at once,
 * and after a minute how many there were since. So a sender that repeats itself for ever writes two
 * lines a minute. For one event loop.
 */
final class RefusalLog {
  private static final Logger LOG = LoggerFactory.getLogger(RefusalLog.class);
  private static final long PERIOD_MS = 60_000;
  private static final int SENDERS_NAMED = 5;
  private static final int SHOWN = 64;
  private static final int LONGEST = 1_000;

  private static final class More {
    private final Set<String> senders = new LinkedHashSet<>();
    private long count;
  }

  private final Vertx vertx;
  private final String door;
  private final Map<Reason, More> open = new EnumMap<>(Reason.class);

  RefusalLog(Vertx vertx, String door) {
    this.vertx = vertx;
    this.door = door;
  }

  /**
   * Notes a refusal.
   *
   * @param what became of the sender, such as {@code "its connection is ended"}
   */
  void refused(String sender, Rejection rejection, String what) {
    Reason reason = rejection.reason();
    More more = open.get(reason);
    String who = JsonText.shown(sender, SHOWN);
    if (more == null) {
      open.put(reason, new More());
      vertx.setTimer(PERIOD_MS, over -> sum(reason));
      String said = JsonText.shown(rejection.detail(), LONGEST);
      LOG.warn("{} client {}: {}: {}; {}", door, who, reason.word(), said, what);
      return;
    }
    more.count++;
    if (more.senders.size() < SENDERS_NAMED) {
      more.senders.add(who);
    }
  }

  private void sum(Reason reason) {
    More more = open.remove(reason);
    if (more.count > 0) {
      LOG.warn(
          "{} door: {} more were refused as {} in {} s, among them of {}",
          door,
          more.count,
          reason.word(),
          PERIOD_MS / 1000,
          String.join(", ", more.senders));
    }
  }
}
