package io.galop.persist.history;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.Optional;

/** A body that is there as a whole. */
final class RowPieces implements Pieces {
  private final Buffer body;
  private int at;

  RowPieces(Buffer body) {
    this.body = body;
  }

  @Override
  public Optional<Future<Void>> waiting() {
    return Optional.empty();
  }

  @Override
  public Buffer next() {
    int from = at;
    at = Math.min(body.length(), from + PIECE_BYTES);
    return body.getBuffer(from, at);
  }

  @Override
  public boolean hasEnded() {
    return at == body.length();
  }

  @Override
  public boolean isSlow() {
    return false;
  }

  @Override
  public void setPagesAside() {}

  @Override
  public long heldBytes() {
    return 0;
  }

  @Override
  public long pageBytes() {
    return 0;
  }

  @Override
  public void close() {}
}
