package io.galop.persist.history;

import io.galop.vertx.Buffers;
import io.netty.buffer.ByteBuf;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.Optional;

/**
 * A body that is there as a whole: its bytes are shared, but TLS makes others of them for each
 * client.
 */
final class WholePieces implements Pieces {
  private final ByteBuf body;
  private final Runnable onClose;
  private int at;

  /** Of a body of this answer alone. */
  WholePieces(Buffer body) {
    this(Buffers.bytes(body), () -> {});
  }

  /**
   * @param onClose releases the body
   */
  WholePieces(ByteBuf body, Runnable onClose) {
    this.body = body;
    this.onClose = onClose;
  }

  @Override
  public Optional<Future<Void>> waiting() {
    return Optional.empty();
  }

  @Override
  public Buffer next() {
    int from = at;
    at = Math.min(body.readableBytes(), from + PIECE_BYTES);
    return Buffers.of(body.slice(body.readerIndex() + from, at - from));
  }

  @Override
  public boolean hasEnded() {
    return at == body.readableBytes();
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
  public void close() {
    onClose.run();
  }
}
