package io.galop.broadcast.feed;

import io.galop.broadcast.hub.Hub;
import io.galop.broadcast.hub.Registration;
import io.galop.record.TopicFilter;
import java.util.Optional;

/**
 * A registration that wants more than what comes from now on.
 *
 * @param since where it was before, if it asks for what it missed; otherwise it asks for a snapshot
 * @param isLate whether it has waited long enough for the feed to reach that
 * @param isLost whether its owners do not have that, or did not answer
 */
public record Join(
    Hub hub, Registration registration, Optional<Since> since, boolean isLate, boolean isLost) {
  public Join(Hub hub, Registration registration, Optional<Since> since) {
    this(hub, registration, since, false, false);
  }

  Join late() {
    return new Join(hub, registration, since, true, isLost);
  }

  Join lost() {
    return new Join(hub, registration, since, true, true);
  }

  TopicFilter filter() {
    return registration.filter();
  }
}
