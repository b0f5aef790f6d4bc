package io.galop.broadcast.sockjs;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * What waits for the next request of a browser. It is bounded by those who write: they count it as
 * written and not left.
 */
final class Pending {
  private static final Transport.Receipt NOBODY = (size, records, isSent) -> {};

  private final Deque<Part> parts = new ArrayDeque<>();

  private record Part(Frame[] frames, int size, int records, Transport.Receipt receipt) {
    void left(boolean isSent) {
      receipt.onLeft(size, records, isSent);
    }
  }

  /**
   * Frames that are to leave in one array, and whom to tell.
   *
   * @param frames all of them
   */
  record Batch(Frame[] frames, List<Part> parts) {
    void left(boolean isSent) {
      parts.forEach(part -> part.left(isSent));
    }
  }

  boolean isEmpty() {
    return parts.isEmpty();
  }

  void add(Frames frames, Transport.Receipt receipt) {
    parts.add(new Part(frames.frames(), frames.size(), frames.records(), receipt));
  }

  /** Adds frames of which nobody wants to hear. */
  void add(Frame[] frames) {
    if (frames.length > 0) {
      parts.add(new Part(frames, 0, 0, NOBODY));
    }
  }

  /** Takes what came first: at least one part, and no more than that above the limit. */
  Batch take(int limitBytes) {
    List<Part> taken = new ArrayList<>();
    List<Frame> frames = new ArrayList<>();
    int size = 0;
    do {
      Part part = parts.remove();
      taken.add(part);
      frames.addAll(List.of(part.frames()));
      size += part.size();
    } while (!parts.isEmpty() && size + parts.peek().size() <= limitBytes);
    return new Batch(frames.toArray(Frame[]::new), taken);
  }

  /** Nothing that waits will ever leave. */
  void drop() {
    List<Part> dropped = new ArrayList<>(parts);
    parts.clear();
    dropped.forEach(part -> part.left(false));
  }
}
