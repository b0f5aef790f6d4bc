package io.galop.ingest.publisher;

/** Somebody who sends records. */
public interface RecordSender {
  /** Who it is, as far as is known: {@link Publisher#ANYONE} if nobody has to say. */
  Publisher publisher();

  /** Whether it may publish. */
  boolean isKnown();

  /** It says a token; only the first counts. */
  void greet(String token);
}
