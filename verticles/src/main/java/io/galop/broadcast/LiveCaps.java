package io.galop.broadcast;

import io.galop.broadcast.hub.Caps;
import io.galop.config.broadcast.CapConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** What viewers may be sent at most, for the event loops that go by it. From any thread. */
final class LiveCaps {
  private final List<Consumer<Caps>> loops = new ArrayList<>();
  private List<CapConfig> caps;

  LiveCaps(List<CapConfig> caps) {
    this.caps = caps;
  }

  synchronized void change(List<CapConfig> others) {
    caps = others;
    loops.forEach(loop -> loop.accept(Caps.of(others)));
  }

  /**
   * An event loop is told what holds, now and whenever that changes; what it is handed is its own.
   *
   * @return ends that
   */
  synchronized Runnable follow(Consumer<Caps> loop) {
    loops.add(loop);
    loop.accept(Caps.of(caps));
    return () -> leave(loop);
  }

  private synchronized void leave(Consumer<Caps> loop) {
    loops.remove(loop);
  }
}
