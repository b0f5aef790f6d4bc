package io.galop.socket;

import io.netty.util.concurrent.EventExecutor;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says in the log who was refused: of each reason the first at once, and after a minute how many
 * there were since. So a sender or a port scanner that repeats itself for ever writes two lines a
 * minute. Safe to call from any thread.
 */
public final class RefusalLog {
  private static final Logger LOG = LoggerFactory.getLogger(RefusalLog.class);
  private static final long PERIOD_MS = 60_000;
  private static final int SENDERS_NAMED = 5;

  /** Runs something later, once; a timer of the caller's event loop. */
  public interface Later {
    void run(long delayMs, Runnable task);
  }

  private static final class More {
    private final Set<String> senders = new LinkedHashSet<>();
    private long count;
  }

  private final String where;

  /** Reason → what came after its first refusal. Has a reason for one period only. */
  private final Map<String, More> open = new HashMap<>();

  /**
   * Of one listener.
   *
   * @param where they are refused, as the line with their number begins
   */
  public RefusalLog(String where) {
    this.where = where;
  }

  /**
   * Notes a refusal.
   *
   * @param reason one of a few, whatever a sender sends
   * @param sender who was refused, fit for a log
   * @param line what is said if it is the first of its reason
   * @param later says how many there were
   */
  public void refused(String reason, String sender, Supplier<String> line, Later later) {
    synchronized (open) {
      More more = open.get(reason);
      if (more != null) {
        more.count++;
        if (more.senders.size() < SENDERS_NAMED) {
          more.senders.add(sender);
        }
        return;
      }
      open.put(reason, new More());
    }
    later.run(PERIOD_MS, () -> sum(reason));
    LOG.warn("{}", line.get());
  }

  /** By the event loop of a connection. */
  public static Later on(EventExecutor loop) {
    return (delayMs, task) -> loop.schedule(task, delayMs, TimeUnit.MILLISECONDS);
  }

  /** Without its port: a scanner never has the same twice. */
  public static String host(SocketAddress client) {
    return client instanceof InetSocketAddress known
        ? known.getAddress().getHostAddress()
        : String.valueOf(client);
  }

  private void sum(String reason) {
    More more;
    synchronized (open) {
      more = open.remove(reason);
    }
    if (more != null && more.count > 0) {
      LOG.warn(
          "{}: {} more were refused in {} s: {}; among them {}",
          where,
          more.count,
          PERIOD_MS / 1000,
          reason,
          String.join(", ", more.senders));
    }
  }
}
