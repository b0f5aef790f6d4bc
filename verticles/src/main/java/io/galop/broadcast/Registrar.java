package io.galop.broadcast;

import io.galop.broadcast.feed.Join;
import io.galop.broadcast.feed.NodeFeed;
import io.galop.broadcast.hub.ControlFrames;
import io.galop.broadcast.hub.Disconnect;
import io.galop.broadcast.hub.Hub;
import io.galop.broadcast.hub.Registration;
import io.galop.broadcast.hub.Selection;
import io.galop.broadcast.hub.Subscriber;
import io.galop.config.broadcast.BroadcastConfig;
import io.galop.record.Topic;
import io.galop.record.TopicFilter;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The filters of one viewer: which it may register, and how. A condition that the node does not
 * know yet is read by another thread; what else the viewer says meanwhile is not held up. On the
 * Hub's event loop.
 */
final class Registrar {
  private static final Logger LOG = LoggerFactory.getLogger(Registrar.class);

  private final NodeFeed feed;
  private final Hub hub;
  private final Subscriber subscriber;
  private final BroadcastConfig config;
  private final Entrance entrance;
  private final ConditionCompiler conditions;

  /** The addresses whose condition is being read, with what tells one request from another. */
  private final Map<String, Object> awaited = new HashMap<>();

  /** How many conditions are being read, also of what was unregistered meanwhile. */
  private int reading;

  private boolean isLast;

  Registrar(
      NodeFeed feed,
      Hub hub,
      Subscriber subscriber,
      BroadcastConfig config,
      Entrance entrance,
      ConditionCompiler conditions) {
    this.feed = feed;
    this.hub = hub;
    this.subscriber = subscriber;
    this.config = config;
    this.entrance = entrance;
    this.conditions = conditions;
  }

  /** Takes why a filter is not registered or not changed; at once, unless a condition is read. */
  interface Refusals {
    /**
     * @param word stable
     * @param message in a sentence
     */
    void refuse(String word, String message);
  }

  /** Nothing more will be registered: the connection ends when it has no registration. */
  void last() {
    isLast = true;
    endIfNothingIsLeft();
  }

  private void endIfNothingIsLeft() {
    if (isLast && subscriber.registrations().isEmpty() && awaited.isEmpty()) {
      hub.disconnect(subscriber, Disconnect.BUSY);
    }
  }

  /**
   * Registers a filter.
   *
   * @param headers see {@link Wishes}
   */
  void register(String address, JsonObject headers, Refusals refusals) {
    if (subscriber.registration(address) != null || awaited.containsKey(address)) {
      refusals.refuse("address_already_registered", "'" + address + "' is registered already");
    } else if (subscriber.registrations().size() + awaited.size() >= config.maxFilters()) {
      String limit = "a connection may register " + config.maxFilters() + " filters";
      refusals.refuse("max_handlers_reached", limit);
    } else if (Topic.isReserved(address) && !config.showReserved() && !entrance.seesReserved()) {
      refusals.refuse("access_denied", "topics that start with $ are not shown here");
    } else {
      registerChecked(address, headers, refusals);
    }
  }

  private void registerChecked(String address, JsonObject headers, Refusals refusals) {
    TopicFilter filter;
    try {
      filter = TopicFilter.parse(address, config.maxFilterBytes());
    } catch (IllegalArgumentException e) {
      refusals.refuse("invalid_address", String.valueOf(e.getMessage()));
      return;
    }
    if (!entrance.sees(filter)) {
      refusals.refuse("access_denied", Entrance.notShown(filter));
      return;
    }
    Wishes wishes = read(refusals, () -> Wishes.parse(headers, feed.shards()));
    if (wishes != null) {
      Selection all = Selection.without(entrance.omit());
      select(
          address,
          all,
          wishes,
          refusals,
          selection -> register(filter, wishes, selection, refusals));
    }
  }

  private @Nullable Wishes read(Refusals refusals, Supplier<Wishes> headers) {
    try {
      return headers.get();
    } catch (IllegalArgumentException e) {
      refusals.refuse("invalid_header", String.valueOf(e.getMessage()));
      return null;
    }
  }

  /** Goes on with what is selected: at once, unless its condition has to be read. */
  private void select(
      String address,
      Selection before,
      Wishes wishes,
      Refusals refusals,
      Consumer<Selection> action) {
    if (reading >= config.maxFilters()) {
      String why = "as many conditions of this connection are being read; come back later";
      refusals.refuse("max_handlers_reached", why);
      return;
    }
    Future<Selection> selected = conditions.select(before, wishes);
    if (selected.isComplete()) {
      selected(refusals, selected, action);
      return;
    }
    Object request = new Object();
    awaited.put(address, request);
    reading++;
    selected.onComplete(
        done ->
            hub.post(
                () -> {
                  reading--;
                  if (awaited.remove(address, request) && !subscriber.isEnded()) {
                    selectedLate(refusals, done, action);
                  }
                }));
  }

  private void selectedLate(
      Refusals refusals, AsyncResult<Selection> done, Consumer<Selection> action) {
    try {
      selected(refusals, done, action);
      endIfNothingIsLeft();
    } catch (RuntimeException | OutOfMemoryError fault) {
      // Half of it may be done; the browser asks for all of it when it comes back.
      LOG.warn("a registration could not be dealt with", fault);
      subscriber.disconnect(Disconnect.FAULT);
    }
  }

  /** Where too many wait to be read, the browser comes back by itself, and asks again. */
  private void selected(
      Refusals refusals, AsyncResult<Selection> done, Consumer<Selection> action) {
    if (done.succeeded()) {
      action.accept(done.result());
    } else if (done.cause() instanceof IllegalStateException) {
      hub.disconnect(subscriber, Disconnect.BUSY);
    } else {
      refusals.refuse("invalid_header", String.valueOf(done.cause().getMessage()));
    }
  }

  /** Whether it may have what it wishes; else it is told why not. */
  private boolean mayHave(Registration registration, Refusals refusals) {
    String refusal = hub.refusal(registration);
    if (!refusal.isEmpty()) {
      refusals.refuse("max_handlers_reached", refusal);
    }
    return refusal.isEmpty();
  }

  /** The token may be another by now. */
  private void register(TopicFilter filter, Wishes wishes, Selection selection, Refusals refusals) {
    if (!entrance.sees(filter)) {
      refusals.refuse("access_denied", Entrance.notShown(filter));
      return;
    }
    Registration registration =
        new Registration(
            subscriber, filter, wishes.pacing(), wishes.words(), selection, wishes.deltas());
    if (!mayHave(registration, refusals)) {
      return;
    }
    String limit = entrance.register();
    if (limit.isEmpty()) {
      add(registration, wishes);
    } else {
      refusals.refuse("max_handlers_reached", "no more may be registered here now, by " + limit);
    }
  }

  private void add(Registration registration, Wishes wishes) {
    registration.onTakenBack((word, why) -> end(registration, word, why));
    subscriber.add(registration);
    registration.onAskAgain(() -> ask(registration));
    if (wishes.needsAnswer()) {
      hub.awaitJoined(registration);
      feed.joins().post(new Join(hub, registration, wishes.since()));
    } else {
      hub.register(registration);
    }
  }

  private void ask(Registration registration) {
    feed.joins().post(new Join(hub, registration, Optional.empty()));
  }

  /** Sends the last values of a filter that is registered once more. */
  void showAgain(String address) {
    Registration registration = subscriber.registration(address);
    if (registration != null) {
      registration.showAgain();
    }
  }

  private void end(Registration registration, String word, String why) {
    TopicFilter filter = registration.filter();
    unregister(filter.toString());
    subscriber.tell(ControlFrames.ended(filter, word, why));
    endIfNothingIsLeft();
  }

  /** Changes what a registration is sent, while it lives. */
  void update(String address, JsonObject headers, Refusals refusals) {
    Registration registration = subscriber.registration(address);
    if (registration == null || awaited.containsKey(address)) {
      String why = awaited.containsKey(address) ? " waits for its condition" : " is not registered";
      refusals.refuse("not_registered", "'" + address + "'" + why);
      return;
    }
    Wishes wishes = read(refusals, () -> Wishes.parseUpdate(headers, feed.shards()));
    if (wishes == null) {
      return;
    }
    select(
        address,
        registration.selection(),
        wishes,
        refusals,
        selection -> change(registration, selection, wishes, refusals));
  }

  private void change(
      Registration registration, Selection selection, Wishes wishes, Refusals refusals) {
    if (registration.isEnded()) {
      return;
    }
    registration.wish(selection);
    if (mayHave(registration, refusals)) {
      registration.pace(wishes.pacing(registration.pacing()));
      hub.reselect(subscriber, registration);
    }
  }

  /** Ends a registration, if there is one. */
  void unregister(String address) {
    awaited.remove(address);
    Registration registration = subscriber.registration(address);
    if (registration != null) {
      hub.unregister(registration);
      entrance.unregistered();
    }
  }
}
