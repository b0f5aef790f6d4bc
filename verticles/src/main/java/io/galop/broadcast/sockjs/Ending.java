package io.galop.broadcast.sockjs;

/** Why a connection is ended, as SockJS's close frame says it: {@code c[code,"reason"]}. */
public interface Ending {
  /** The number, from 1000 to 4999. */
  int code();

  /** A word or a few. */
  String reason();

  /** What is sent before the close frame. */
  Frame[] lastWords();
}
