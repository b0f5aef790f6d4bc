package io.galop.ingest.publisher;

import io.vertx.core.Context;
import java.util.Optional;
import java.util.function.Consumer;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * A connection and who is behind it. For its event loop, but for {@link #judge}. Joins the list of
 * those present when it is known, so {@link #leave} has to follow.
 */
public final class Visitor implements RecordSender {
  private final Publishers publishers;
  private final Context context;
  private final Consumer<String> onRevoked;
  private final boolean hasUser;
  private volatile Credential shown;
  private volatile Publisher publisher = Publisher.ANYONE;
  private boolean isKnown;
  private boolean isSettled;

  private Visitor(
      Publishers publishers,
      Context context,
      Credential shown,
      boolean hasUser,
      Consumer<String> onRevoked) {
    this.publishers = publishers;
    this.context = context;
    this.shown = shown;
    this.hasUser = hasUser;
    this.onRevoked = onRevoked;
    recognise();
  }

  /**
   * One who shows a certificate or says a token later.
   *
   * @param onRevoked called on the context with a sentence when it may publish no more
   */
  public static Visitor of(Publishers publishers, Context context, Consumer<String> onRevoked) {
    return new Visitor(publishers, context, Credential.of("", ""), false, onRevoked);
  }

  /** One that has said everything, with a user. */
  public static Visitor ofUser(
      Publishers publishers,
      Context context,
      Credential shown,
      String user,
      Consumer<String> onRevoked) {
    return new Visitor(publishers, context, shown.by(user), true, onRevoked);
  }

  private void recognise() {
    Optional<Publisher> found = publishers.find(this);
    if (isKnown) {
      publisher.connected(-1);
    }
    isKnown = found.isPresent();
    publisher = found.orElse(Publisher.ANYONE);
    if (isKnown) {
      publisher.connected(1);
      publishers.enter(this);
      judge(publishers.find(this)); // the list may have changed before it was in it
    }
  }

  /** Its certificate, which is there when its first bytes are, and not before. */
  public void show(@Nullable SSLSession session) {
    String subject = Credential.subjectOf(session);
    if (!subject.isEmpty()) {
      shown = Credential.of("", subject);
      recognise();
    }
  }

  @Override
  public void greet(String token) {
    if (!isSettled) {
      isSettled = true;
      shown = Credential.of(token, shown.subject());
      recognise();
    }
  }

  @Override
  public boolean isKnown() {
    return isKnown;
  }

  @Override
  public Publisher publisher() {
    return publisher;
  }

  /** Whether it has as much in flight as it may. */
  public boolean isFull() {
    return publisher.hasOwnRoom() && publisher.room().isFull();
  }

  /** Whether it has sent more by half than it may. */
  public boolean isOverrun() {
    return publisher.hasOwnRoom() && publisher.room().isOverrun();
  }

  /** What to say of both. */
  public String full() {
    return publisher.full();
  }

  /** When it may send again, as it is over its quota; 0 if it may now. */
  public long overMs() {
    OverQuota over = publisher.over();
    return over == null ? 0 : over.retryAfterMs();
  }

  /** It was refused, or is read no further for a while. */
  public void throttled() {
    publisher.throttled();
  }

  Credential shown() {
    return shown;
  }

  boolean hasUser() {
    return hasUser;
  }

  /** The list has changed: what it shows is now this one's. */
  void judge(Optional<Publisher> now) {
    if (now.isEmpty() || now.get() != publisher) {
      String sentence =
          "publisher '%s' may publish here no more: what it showed is revoked"
              .formatted(publisher.name());
      context.runOnContext(turn -> onRevoked.accept(sentence));
    }
  }

  /** Its connection has ended. */
  public void leave() {
    publishers.leave(this);
    if (isKnown) {
      isKnown = false;
      publisher.connected(-1);
    }
  }
}
