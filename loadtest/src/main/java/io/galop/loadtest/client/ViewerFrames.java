package io.galop.loadtest.client;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;

/** Takes SockJS frames, or messages of the plain websocket, for one viewer. */
final class ViewerFrames implements Marks.Reader {
  private static final ByteBuf RESUMED = ascii("resumed");
  private static final ByteBuf FALSE = ascii("false");

  /** In {@code {"type":"resumed","address":…,"complete":false}}: how far apart at most. */
  private static final int LENGTH_OF_WORD = 400;

  private final LoopFigures figures;
  private final ViewerTally tally;

  ViewerFrames(LoopFigures figures, ViewerTally tally) {
    this.figures = figures;
    this.tally = tally;
  }

  private static ByteBuf ascii(String text) {
    return Unpooled.unreleasableBuffer(Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII));
  }

  /** Messages: their stamps, and what the server says of records that are missing. */
  void onMessages(ByteBuf in, int start, int length) {
    figures.marks().scan(in, start, start + length, this);
  }

  @Override
  public void onStamp(long number, long dueNanos) {
    tally.onStamp(number, dueNanos);
  }

  @Override
  public void onBetween(ByteBuf in, int from, int to) {
    if (figures.isFollowing() && saysIncomplete(in.slice(from, to - from))) {
      tally.onTold();
    }
  }

  private static boolean saysIncomplete(ByteBuf words) {
    int at = ByteBufUtil.indexOf(RESUMED.duplicate(), words);
    int length = Math.min(LENGTH_OF_WORD, words.writerIndex() - at);
    return at >= 0 && ByteBufUtil.indexOf(FALSE.duplicate(), words.slice(at, length)) >= 0;
  }

  /** The session has been closed by the server. */
  void onClose(ByteBuf in, int start, int length) {
    String said = in.toString(start, Math.min(length, 100), StandardCharsets.US_ASCII).strip();
    figures.onError("closed by the server: " + said);
    tally.onLost();
  }
}
