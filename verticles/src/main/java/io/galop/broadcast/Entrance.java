package io.galop.broadcast;

import io.galop.broadcast.edge.Admission;
import io.galop.broadcast.edge.TokenRefused;
import io.galop.broadcast.hub.ControlFrames;
import io.galop.broadcast.hub.Disconnect;
import io.galop.broadcast.hub.Hub;
import io.galop.broadcast.hub.Registration;
import io.galop.broadcast.hub.Subscriber;
import io.galop.record.TopicFilter;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Set;

/**
 * How one connected browser came in, and for how long it may stay: it may renew its token, and
 * leaves when that has expired. All on the Hub's event loop.
 */
final class Entrance {
  private final Hub hub;
  private final Subscriber subscriber;
  private final Expiries expiries;
  private Admission admission;
  private int registered;

  /**
   * @param admission has entered, and leaves with the connection
   */
  Entrance(Hub hub, Subscriber subscriber, Expiries expiries, Admission admission) {
    this.hub = hub;
    this.subscriber = subscriber;
    this.expiries = expiries;
    this.admission = admission;
    subscriber.limit(admission.view().maxRate(), admission.view().maxBytesPerSecond());
    subscriber.deliveries().whose().named(() -> this.admission.subject());
    expiries.watch(this);
  }

  long expiresMs() {
    return admission.expiresMs();
  }

  /** Which fields of data are not shown; it stays so for as long as the connection. */
  Set<String> omit() {
    return admission.view().omit();
  }

  /**
   * Sends the browser away if its token is no longer good.
   *
   * @return whether it did
   */
  boolean judge() {
    Disconnect why =
        switch (admission.state()) {
          case GOOD -> null;
          case EXPIRED -> Disconnect.TOKEN_EXPIRED;
          case REVOKED -> Disconnect.TOKEN_REVOKED;
          case KEY_GONE -> Disconnect.TOKEN_KEY_GONE;
        };
    if (why == null || subscriber.isEnded()) {
      return false;
    }
    hub.disconnect(subscriber, why);
    return true;
  }

  boolean sees(TopicFilter filter) {
    return admission.sees(filter);
  }

  boolean seesReserved() {
    return admission.seesReserved();
  }

  /**
   * One more filter is to be registered.
   *
   * @return the dotted path of the limit that forbids it; empty: it may
   */
  String register() {
    String limit = admission.register();
    registered += limit.isEmpty() ? 1 : 0;
    return limit;
  }

  /** One filter is no longer registered. */
  void unregistered() {
    registered--;
    admission.unregister(1);
  }

  static String notShown(TopicFilter filter) {
    return "the token does not allow '" + filter + "'";
  }

  /** Takes another token, answers, and ends the registrations that it no longer allows. */
  void renew(JsonObject headers) {
    if (!(headers.getValue("token") instanceof String token)) {
      subscriber.tell(
          ControlFrames.error("invalid_header", "headers.token must be the token, a text"));
      return;
    }
    try {
      admission = admission.renewed(token);
    } catch (TokenRefused e) {
      subscriber.tell(ControlFrames.error(e.reason(), e.getMessage()));
      return;
    }
    subscriber.tell(ControlFrames.token(expiresMs()));
    for (Registration registration : List.copyOf(subscriber.registrations())) {
      TopicFilter filter = registration.filter();
      if (!sees(filter)) {
        hub.unregister(registration);
        unregistered();
        subscriber.tell(ControlFrames.ended(filter, "access_denied", notShown(filter)));
      }
    }
  }

  /** The connection is no more. */
  void leave() {
    expiries.forget(this);
    admission.unregister(registered);
    registered = 0;
    admission.leave();
  }
}
