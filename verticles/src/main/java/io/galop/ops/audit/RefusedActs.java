package io.galop.ops.audit;

import io.galop.ops.access.AccessGate;
import io.galop.ops.access.Login;
import io.galop.vertx.Loop;
import io.vertx.ext.web.RoutingContext;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Writes who asked for an act and may not, and tells him. Of each operator 100 a minute are
 * written; beyond, they are counted, and the next line has their number: a viewer could else have
 * the files turn until they name no act any more. On the event loop of the port.
 */
public final class RefusedActs implements AccessGate.OnRefusedAct {
  private static final int MOST_LINES = 100;
  private static final long WINDOW_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** As many as there are operators. */
  private final Map<String, Window> windows = new HashMap<>();

  private final AuditTrail trail;
  private final Loop loop;

  /** What was written of an operator lately. */
  private static final class Window {
    private long beganNanos = System.nanoTime();
    private int lines;
    private long unwritten;

    boolean hasRoom() {
      long now = System.nanoTime();
      if (now - beganNanos >= WINDOW_NANOS) {
        beganNanos = now;
        lines = 0;
      }
      return lines < MOST_LINES;
    }
  }

  public RefusedActs(AuditTrail trail, Loop loop) {
    this.trail = trail;
    this.loop = loop;
  }

  @Override
  public void refused(RoutingContext request, String reason, String why) {
    Login login = AccessGate.login(request);
    Window window = windows.computeIfAbsent(login.operator(), first -> new Window());
    if (!window.hasRoom()) {
      window.unwritten++;
      trail.refusedUnwritten();
      answer(request, reason, why);
      return;
    }
    AuditLine line = AuditLine.refused(login, ActHandler.action(request), why, window.unwritten);
    window.lines++;
    window.unwritten = 0;
    loop.within(ActHandler.PATIENCE_MS, "it", trail.write(line))
        .onComplete(written -> answer(request, reason, why));
  }

  private static void answer(RoutingContext request, String reason, String why) {
    ActHandler.send(request, ActHandler.Answer.error(403, reason, why));
  }
}
