package io.galop.ingest.poll;

/** Why nothing can be made of an answer, in a sentence. */
public final class BadAnswer extends Exception {
  private static final long serialVersionUID = 1L;

  BadAnswer(String message) {
    super(message, null, false, false);
  }
}
