package io.galop.broadcast.feed;

import io.galop.broadcast.hub.Hub;
import io.galop.broadcast.hub.Registration;
import io.galop.record.TopicFilter;
import java.util.Optional;

/**
 * A registration that wants more than what comes from now on.
 *
 * @param since where it was before, if it asks for what it missed; otherwise it asks for a snapshot
 */
public record Join(Hub hub, Registration registration, Optional<Since> since) {
  TopicFilter filter() {
    return registration.filter();
  }
}
