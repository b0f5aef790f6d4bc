package io.galop.socket;

import io.galop.config.Listener;
import io.galop.config.tls.TlsConfig;
import io.galop.yaml.ConfigException;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandler;
import io.netty.handler.ssl.SslHandler;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The TLS of one listener. It always has keys that fitted each other when they were read; new ones
 * on disk take their place for connections that are made from then on. Safe to call from any
 * thread, but for {@link #look}, which one thread calls.
 */
public final class ListenerTls {
  private static final Logger LOG = LoggerFactory.getLogger(ListenerTls.class);

  private final Listener listener;
  private final RefusalLog refusals;
  private final boolean isProxied;
  private final AtomicLong refused = new AtomicLong();
  private volatile ServerKeys keys;
  private volatile Optional<String> problem = Optional.empty();
  private String tried;
  private String seen;

  /**
   * Reads its files; blocks.
   *
   * @param isProxied whether each connection begins with a header of the PROXY protocol
   * @throws ConfigException if they cannot be used
   */
  ListenerTls(Listener listener, boolean isProxied) {
    this.listener = listener;
    this.refusals = new RefusalLog(listener.name());
    this.isProxied = isProxied;
    this.tried = versions(listener.tls());
    this.seen = tried;
    this.keys = ServerKeys.read(listener.tlsKey(), listener.tls(), Instant.now());
  }

  private static String versions(TlsConfig config) {
    return Stream.of(config.certificate(), config.key(), config.clientCa())
        .filter(file -> !file.isEmpty())
        .map(PemFile::version)
        .collect(Collectors.joining("\n"));
  }

  /**
   * Takes the files if they have been renewed; blocks. They are two or three that somebody writes
   * one after the other, so they are read when they have been the same for two looks.
   */
  public void look() {
    String now = versions(listener.tls());
    boolean isSettled = now.equals(seen);
    seen = now;
    if (isSettled && !now.equals(tried)) {
      tried = now;
      renew();
    }
  }

  private void renew() {
    try {
      keys = ServerKeys.read(listener.tlsKey(), listener.tls(), Instant.now());
      problem = Optional.empty();
      LOG.info("{}: new certificate {}, valid until {}", listener.name(), subject(), until());
    } catch (ConfigException e) {
      problem = Optional.of(String.join("; ", e.problems()));
      LOG.error(
          "{}: new certificate refused, that of {} valid until {} stays: {}",
          listener.name(),
          subject(),
          until(),
          problem.get());
    }
  }

  /** Why the files that are there now were not taken; empty where they were. */
  public Optional<String> problem() {
    return problem;
  }

  /** The name of the listener. */
  public String name() {
    return listener.name();
  }

  /** The file that a new certificate belongs into. */
  public String certificateFile() {
    return listener.tls().certificate();
  }

  /** Whom its certificate names. */
  public String subject() {
    return keys.subject();
  }

  /** When its certificate ends. */
  public Instant until() {
    return keys.until();
  }

  /** How many connections came to no TLS. */
  public long refused() {
    return refused.get();
  }

  /** What is spoken, and by what, for the log. */
  String description() {
    List<String> versions = listener.tls().versions();
    return "TLS %s by %s, certificate of %s until %s"
        .formatted(String.join(" and ", versions), keys.provider(), subject(), until());
  }

  /**
   * What stands in front of a connection.
   *
   * @param next stand behind TLS
   */
  ChannelHandler entry(List<ChannelHandler> next) {
    TlsEntry entry = new TlsEntry(this, next);
    return isProxied ? new ProxyHeader(entry) : entry;
  }

  /** For a connection that was taken. */
  SslHandler handler(ByteBufAllocator allocator) {
    return keys.handler(allocator);
  }

  /**
   * A connection has come to no TLS. Who leaves in the middle, as a port check does, is silent; the
   * log has one line of each reason in a minute and the number of the others.
   */
  void refuse(SocketAddress client, Throwable cause, RefusalLog.Later later) {
    refused.incrementAndGet();
    if (cause instanceof ClosedChannelException) {
      LOG.debug("{}: {} left before TLS was agreed", listener.name(), client);
    } else {
      TlsRefusal why = TlsRefusal.of(cause, listener.tlsKey());
      refusals.refused(
          why.reason(),
          RefusalLog.host(client),
          () -> "%s: closed %s: %s".formatted(listener.name(), client, why.words()),
          later);
    }
  }
}
