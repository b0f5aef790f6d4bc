package io.galop.bus;

import io.galop.bus.Addresses.Lane;
import io.galop.record.Position;
import io.vertx.core.json.JsonObject;
import java.util.List;
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
    PUSH(Push.class, Void.class),
    /** A node that dials → relay: whose tokens to refuse; see {@link ViewerLane#revoke}. */
    REVOKE(JsonObject.class, JsonObject.class),
    /** A node that dials → a relay that asks nothing: the latest records of a shard. */
    LOAD(Load.class, Void.class),
    /** The same: pushes of a shard begin. */
    BEGIN(Begin.class, Void.class),
    /** Relay → a node that dials: which records it wants from now on. */
    WANT(Want.class, Void.class),
    /** Relay → owner: the latest records of some topics. */
    VALUES(Values.class, Page.class),
    /** Owner → relay: what it wants of a Batch. */
    PART(Push.class, Void.class),
    /** A node that dials → relay: how many viewers watch something; its answer has numbers. */
    PRESENCE(JsonObject.class, JsonObject.class),
    /** A node that dials → relay: what a drill shows; its answer has words. */
    DRILL(JsonObject.class, JsonObject.class);

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

  /**
   * The latest records of a shard, page by page.
   *
   * @param session of the pushes that will follow, larger for each attempt
   */
  public record Load(int shard, long session, Page page) {}

  /**
   * Pushes of a shard with a session begin.
   *
   * @param from the first of them follows on this, up to which the relay has taken all, unless
   *     {@link Load}s of the session came before
   */
  public record Begin(long session, Position from) {}

  /**
   * What a relay wants: it replaces what it has wanted before.
   *
   * @param version larger for each, in the life of a relay
   * @param everything whether the filters do not count
   */
  public record Want(long version, boolean everything, List<String> filters) {
    public Want {
      filters = List.copyOf(filters);
    }
  }

  /**
   * Asks for latest records.
   *
   * @param ask as of {@link FeedLane#latest}
   * @param filters which topics; none: only where the owner is
   */
  public record Values(Ask ask, List<String> filters) {
    public Values {
      filters = List.copyOf(filters);
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
