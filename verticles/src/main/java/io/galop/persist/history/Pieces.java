package io.galop.persist.history;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.Optional;

/** The body of an answer, piece by piece. On the event loop of its client. */
interface Pieces extends AutoCloseable {
  /** How large a piece is, about. */
  int PIECE_BYTES = 64 * 1024;

  /**
   * What must be known before anything else can be written.
   *
   * @return empty where {@link #next} goes on
   */
  Optional<Future<Void>> waiting();

  /** Goes on to the end of a piece, or to where a page is missing. The piece may be empty. */
  Buffer next();

  /** Whether this was all. */
  boolean hasEnded();

  /** Whether a piece takes so long that others should come in between. */
  boolean isSlow();

  /** Lets go of pages that can be asked for again. */
  void setPagesAside();

  /** Bytes of the pages that it holds now. */
  long heldBytes();

  /** Bytes of the pages that it holds at most, once it has set its own aside; 0: it needs none. */
  long pageBytes();

  /** Nothing more is wanted of it; may come more than once. */
  @Override
  void close();
}
