package io.galop.loadtest.client;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Reads HTTP/1.1 answers (RFC 9112) one after the other: heads, and bodies by their length, in
 * chunks, or up to the connection's end. It takes what it can and leaves the rest to be offered
 * again with more behind it.
 */
public final class HttpReader {
  private static final int NO_CONTENT = 204;
  private static final int NOT_MODIFIED = 304;

  /** Is given what is read. */
  public interface Sink {
    void onHead(int status);

    void onBody(ByteBuf in, int length);

    /**
     * @param keepAlive whether the connection can take another request
     */
    void onEnd(boolean keepAlive);
  }

  private enum State {
    HEAD,
    BODY,
    CHUNK_SIZE,
    CHUNK,
    CHUNK_END,
    TRAILER,
    TO_THE_END
  }

  private final Sink sink;
  private State state = State.HEAD;
  private long left;
  private boolean keepAlive;

  /** Gives what it reads to a sink. */
  public HttpReader(Sink sink) {
    this.sink = sink;
  }

  /** Whether the connection may end now without anything being cut off. */
  boolean mayEnd() {
    return state == State.TO_THE_END;
  }

  /** Takes what it can from the bytes that have come. */
  public void read(ByteBuf in) {
    boolean goesOn = true;
    while (goesOn && in.isReadable()) {
      goesOn =
          switch (state) {
            case HEAD -> readHead(in);
            case CHUNK_SIZE -> readChunkSize(in);
            case BODY, CHUNK, TO_THE_END -> readBody(in);
            case CHUNK_END -> readChunkEnd(in);
            case TRAILER -> readTrailer(in);
          };
    }
  }

  private boolean readHead(ByteBuf in) {
    int end = endOfHead(in);
    if (end < 0) {
      return false;
    }
    String head = in.readCharSequence(end - in.readerIndex(), StandardCharsets.US_ASCII).toString();
    int status = Integer.parseInt(head.substring(9, 12));
    String fields = head.toLowerCase(Locale.ROOT);
    keepAlive = !fields.contains("\r\nconnection: close") && !head.startsWith("HTTP/1.0");
    sink.onHead(status);
    chooseBody(status, fields);
    return true;
  }

  private void chooseBody(int status, String fields) {
    int length = fields.indexOf("\r\ncontent-length:");
    if (status < 200) {
      state = State.HEAD;
    } else if (status == NO_CONTENT || status == NOT_MODIFIED) {
      end();
    } else if (fields.contains("\r\ntransfer-encoding: chunked")) {
      state = State.CHUNK_SIZE;
    } else if (length >= 0) {
      int from = length + "\r\ncontent-length:".length();
      left = Long.parseLong(fields.substring(from, fields.indexOf('\r', from)).trim());
      state = State.BODY;
      if (left == 0) {
        end();
      }
    } else {
      state = State.TO_THE_END;
      keepAlive = false;
      left = Long.MAX_VALUE;
    }
  }

  private static int endOfHead(ByteBuf in) {
    int from = in.readerIndex();
    for (int at = line(in, from); at >= 0; at = line(in, from)) {
      if (at - from <= 1) {
        return at + 1;
      }
      from = at + 1;
    }
    return -1;
  }

  private static int line(ByteBuf in, int from) {
    return in.indexOf(from, in.writerIndex(), (byte) '\n');
  }

  private boolean readChunkSize(ByteBuf in) {
    String size = readLine(in);
    if (size == null) {
      return false;
    }
    int extension = size.indexOf(';');
    left = Long.parseLong((extension < 0 ? size : size.substring(0, extension)).trim(), 16);
    state = left == 0 ? State.TRAILER : State.CHUNK;
    return true;
  }

  private boolean readBody(ByteBuf in) {
    int length = (int) Math.min(left, in.readableBytes());
    int next = in.readerIndex() + length;
    sink.onBody(in, length);
    in.readerIndex(next);
    left -= length;
    if (left == 0) {
      if (state == State.CHUNK) {
        state = State.CHUNK_END;
      } else {
        end();
      }
    }
    return true;
  }

  private boolean readChunkEnd(ByteBuf in) {
    if (readLine(in) == null) {
      return false;
    }
    state = State.CHUNK_SIZE;
    return true;
  }

  private boolean readTrailer(ByteBuf in) {
    String line = readLine(in);
    if (line != null && line.isEmpty()) {
      end();
    }
    return line != null;
  }

  private void end() {
    state = State.HEAD;
    sink.onEnd(keepAlive);
  }

  private static @Nullable String readLine(ByteBuf in) {
    int end = line(in, in.readerIndex());
    if (end < 0) {
      return null;
    }
    String line = in.readCharSequence(end - in.readerIndex(), StandardCharsets.US_ASCII).toString();
    in.skipBytes(1);
    return line.stripTrailing();
  }
}
