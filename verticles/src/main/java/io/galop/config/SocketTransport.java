package io.galop.config;

/** What carries the bytes between sockets and the program. */
public enum SocketTransport {
  /** Epoll where there is one, else nio. */
  AUTO,
  EPOLL,
  IO_URING,
  NIO
}
