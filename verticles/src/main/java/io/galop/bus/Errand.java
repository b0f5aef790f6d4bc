package io.galop.bus;

import io.galop.bus.Addresses.Lane;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request as it crosses a link between a relay and a node of the secure zone. There are no other
 * kinds: what is not here cannot be asked through the border.
 *
 * @param node whom it is for; of an owner's push the relay itself, named by nothing
 * @param timeoutMs for how long the asker waits
 * @param message of the kind's type
 */
public record Errand(Kind kind, String node, long timeoutMs, Object message) {
  /** What may be asked. The order is part of the wire format: add at the end. */
  public enum Kind {
    /** Relay → owner: push what comes after a Position. */
    FOLLOW(Follow.class, Followed.class),
    /** Relay → owner: the latest records. */
    LATEST(Ask.class, Page.class),
    /** Relay → owner: what came after a Position. */
    FETCH(Ask.class, Page.class),
    /** Relay → a node that stores: records of the past. */
    HISTORY(HistoryQuery.class, Page.class),
    /** Owner → relay: a Batch, or a sign of life. Its answer says nothing but that it was taken. */
    PUSH(Push.class, Void.class);

    private final Class<?> message;
    private final Class<?> answer;

    Kind(Class<?> message, Class<?> answer) {
      this.message = message;
      this.answer = answer;
    }

    /** Whether that is what is asked. */
    boolean asks(Object value) {
      return message.isInstance(value);
    }

    /** Whether that answers it; null is nothing but a yes. */
    public boolean isAnsweredBy(@Nullable Object value) {
      return value == null ? answer == Void.class : answer.isInstance(value);
    }
  }

  public Errand {
    if (!kind.asks(message)) {
      throw new IllegalArgumentException(kind + " with a " + message.getClass().getSimpleName());
    }
  }

  /** The same request where a link has to carry it; empty if none may. */
  static Optional<Errand> of(String node, String address, Object message, long timeoutMs) {
    Lane lane = Addresses.lane(address);
    for (Kind kind : Kind.values()) {
      if (kind.name().equals(lane.name()) && kind.asks(message)) {
        return Optional.of(new Errand(kind, node, timeoutMs, message));
      }
    }
    return Optional.empty();
  }
}
