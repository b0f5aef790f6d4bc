package io.galop.client;

import java.net.http.WebSocket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One open websocket. What it hears goes to the client's thread, in order; of messages that this
 * thread has not dealt with yet there are at most {@value #PREFETCH}, the others wait in the
 * socket.
 */
final class Channel implements WebSocket.Listener {
  /** Is told, on the client's thread, what comes. */
  interface Ears {
    void onText(String text);

    /** The connection is over. */
    void onEnd(int code, String reason);
  }

  private static final int PREFETCH = 16;
  private static final int MAX_MESSAGE_LENGTH = 64 * 1024 * 1024;
  private static final long CLOSE_MS = 1_000;

  private final Executor thread;
  private final Ears ears;
  private final StringBuilder part = new StringBuilder();
  private CompletableFuture<WebSocket> sent = new CompletableFuture<>();

  Channel(Executor thread, Ears ears) {
    this.thread = thread;
    this.ears = ears;
  }

  /** Begins to hear; from here on what is said is sent. */
  void begin(WebSocket socket) {
    sent.complete(socket);
    socket.request(PREFETCH);
  }

  @Override
  public void onOpen(WebSocket socket) {
    // The client asks for messages when it is ready.
  }

  @Override
  public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence text, boolean isLast) {
    if (part.length() + text.length() > MAX_MESSAGE_LENGTH) {
      socket.abort();
      end(0, "a message has more than " + MAX_MESSAGE_LENGTH + " characters");
      return null;
    }
    part.append(text);
    if (!isLast) {
      socket.request(1);
      return null;
    }
    String whole = part.toString();
    part.setLength(0);
    thread.execute(
        () -> {
          ears.onText(whole);
          socket.request(1);
        });
    return null;
  }

  @Override
  public @Nullable CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
    end(code, reason);
    return null;
  }

  @Override
  public void onError(WebSocket socket, Throwable fault) {
    end(0, String.valueOf(fault.getMessage()));
  }

  private void end(int code, String reason) {
    thread.execute(() -> ears.onEnd(code, reason));
  }

  /** One text is sent after the other; on the client's thread. */
  void say(String text) {
    sent = sent.thenCompose(socket -> socket.sendText(text, true));
    sent.whenComplete(
        (socket, fault) -> {
          if (fault != null) {
            end(0, String.valueOf(fault.getMessage()));
          }
        });
  }

  /** Says goodbye if the other side takes it soon; on the client's thread. */
  void close(WebSocket socket) {
    sent.thenCompose(open -> open.sendClose(WebSocket.NORMAL_CLOSURE, ""))
        .orTimeout(CLOSE_MS, TimeUnit.MILLISECONDS)
        .whenComplete((open, fault) -> socket.abort());
  }
}
