package io.galop.broadcast;

import io.galop.broadcast.hub.Registration;
import io.galop.broadcast.hub.Subscriber;
import io.galop.node.ViewerQuestion;
import io.galop.node.ViewerQuestion.By;
import io.galop.record.TopicFilter;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** By what viewers are those that somebody looks for. On the event loop of each. */
final class ViewerMatch {
  private final ViewerQuestion question;
  private final String text;
  private final Optional<TopicFilter> topics;

  ViewerMatch(ViewerQuestion question) {
    this.question = question;
    this.text = question.text().toLowerCase(Locale.ROOT);
    this.topics = question.topics();
  }

  /** Whether it is one. */
  boolean matches(Subscriber viewer) {
    return text.isEmpty() || by(viewer, true).size() > 0;
  }

  /** By what it is one; by nothing where all are. */
  Set<By> by(Subscriber viewer) {
    return text.isEmpty() ? Set.of() : by(viewer, false);
  }

  private Set<By> by(Subscriber viewer, boolean isFirstEnough) {
    Set<By> found = EnumSet.noneOf(By.class);
    for (By by : By.values()) {
      if (isAsked(by) && isBy(by, viewer)) {
        found.add(by);
        if (isFirstEnough) {
          break;
        }
      }
    }
    return found;
  }

  private boolean isAsked(By by) {
    return question.by() == By.ANYTHING ? by != By.TOPIC : by == question.by();
  }

  private boolean isBy(By by, Subscriber viewer) {
    return switch (by) {
      case ANYTHING -> false;
      case SUBJECT -> question.subjects() && isIn(viewer.deliveries().whose().subject());
      case ADDRESS -> isIn(viewer.address());
      case ID -> viewer.deliveries().whose().id().equals(text);
      case FILTER -> viewer.registrations().stream().anyMatch(one -> isIn(filter(one)));
      case TOPIC -> viewer.registrations().stream().anyMatch(this::isSent);
    };
  }

  private static String filter(Registration one) {
    return one.filter().toString();
  }

  private boolean isSent(Registration one) {
    return topics.isPresent() && one.filter().overlaps(topics.get());
  }

  private boolean isIn(String of) {
    return of.toLowerCase(Locale.ROOT).contains(text);
  }
}
