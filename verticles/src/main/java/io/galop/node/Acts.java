package io.galop.node;

import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What changes a node on another way than its management port, such as a new file or a signal: told
 * by the part that sees it, to whoever keeps the audit log. Safe to call from any thread; what is
 * told before anybody listens is lost.
 */
public final class Acts {
  private volatile Optional<Consumer<Act>> listener = Optional.empty();

  /**
   * Something that was done.
   *
   * @param by the way it came, as {@code file} or {@code process}
   * @param action what was done, as {@code script}
   * @param parameters to what
   * @param outcome one word
   */
  public record Act(String by, String action, Map<String, String> parameters, String outcome) {
    public Act {
      parameters = Map.copyOf(parameters);
    }
  }

  /** Has somebody hear of all from now on; must not block nor throw. */
  public void listen(Consumer<Act> hears) {
    listener = Optional.of(hears);
  }

  /** Something was done; what the parameters are says {@link Act}. */
  public void tell(String by, String action, Map<String, String> parameters, String outcome) {
    Act act = new Act(by, action, parameters, outcome);
    listener.ifPresent(hears -> hears.accept(act));
  }
}
