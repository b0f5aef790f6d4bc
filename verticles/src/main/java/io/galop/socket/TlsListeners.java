package io.galop.socket;

import io.galop.config.GalopConfig;
import io.galop.config.Listener;
import io.galop.yaml.ConfigException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The TLS of all listeners of a node that have any. Immutable. */
public final class TlsListeners {
  private final List<ListenerTls> all;

  private TlsListeners(List<ListenerTls> all) {
    this.all = List.copyOf(all);
  }

  /** Of a node without TLS. */
  public static TlsListeners none() {
    return new TlsListeners(List.of());
  }

  /**
   * Reads all files; blocks.
   *
   * @throws ConfigException with what is wrong with any of them
   */
  public static TlsListeners of(GalopConfig config) {
    List<ListenerTls> read = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    for (Listener listener : Listener.of(config)) {
      if (listener.tls().isGiven()) {
        boolean isHttp = listener.name().equals(Listener.HTTP);
        try {
          read.add(new ListenerTls(listener, isHttp && config.http().proxyProtocol()));
        } catch (ConfigException e) {
          problems.addAll(e.problems());
        }
      }
    }
    if (!problems.isEmpty()) {
      throw new ConfigException(problems);
    }
    return new TlsListeners(read);
  }

  /** What is wrong with the files, each a sentence that begins with a dotted path; blocks. */
  public static List<String> problems(GalopConfig config) {
    try {
      of(config);
      return List.of();
    } catch (ConfigException e) {
      return e.problems();
    }
  }

  /** Those that have any. */
  public List<ListenerTls> all() {
    return all;
  }

  /**
   * That of a listener; empty where it has none.
   *
   * @throws IllegalStateException if it should have, as it must not be opened without
   */
  Optional<ListenerTls> of(Listener listener) {
    Optional<ListenerTls> keys =
        all.stream().filter(one -> one.name().equals(listener.name())).findFirst();
    if (keys.isEmpty() && listener.tls().isGiven()) {
      throw new IllegalStateException(listener.name() + " has TLS, but its keys were not read");
    }
    return keys;
  }
}
