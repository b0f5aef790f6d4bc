package io.galop.persist.cassandra;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.ssl.ProgrammaticSslEngineFactory;
import io.galop.config.persist.CassandraConfig;
import io.galop.store.StoreTls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The driver's session, which reconnects by itself to servers that come back. Blocking, from any
 * thread.
 */
final class CassandraClient implements AutoCloseable {
  private static final long LEAST_MS = 200;
  private static final long MOST_CONNECT_MS = 10_000;
  private static final long MOST_RECONNECT_MS = 10_000;
  private static final int LOOPS = 2;
  private static final int PAGE_ROWS = 100;
  private static final SimpleStatement PING =
      SimpleStatement.newInstance("SELECT key FROM system.local")
          .setConsistencyLevel(ConsistencyLevel.ONE);

  private final CassandraConfig config;

  /** Null until it has connected. */
  private @Nullable CqlSession session;

  private boolean isClosed;

  /** Null until the store was opened. */
  private volatile @Nullable CassandraStatements statements;

  CassandraClient(CassandraConfig config) {
    this.config = config;
  }

  /**
   * Connects, makes the tables that are not there, and prepares what is asked of them.
   *
   * @throws IOException if a file that is named cannot be used
   */
  CassandraStatements open() throws IOException, GeneralSecurityException {
    CqlSession fresh = connect();
    new CassandraSchema(fresh, config).make();
    CassandraStatements prepared = CassandraStatements.of(fresh, config.keyspace());
    statements = prepared;
    return prepared;
  }

  /** What is asked, after the first {@link #open}. */
  CassandraStatements statements() {
    CassandraStatements now = statements;
    if (now == null) {
      throw new IllegalStateException("it is not connected yet");
    }
    return now;
  }

  /** A session that answers: that of before, or a new one. */
  private CqlSession connect() throws IOException, GeneralSecurityException {
    CqlSession known = known();
    if (known != null) {
      if (answers(known)) {
        return known;
      }
      known.closeAsync();
    }
    CqlSession fresh = builder().build();
    if (!keep(fresh)) {
      fresh.close();
      throw new IllegalStateException("the store is closed");
    }
    checkDatacenter(fresh);
    return fresh;
  }

  private synchronized @Nullable CqlSession known() {
    CqlSession known = session;
    return known;
  }

  private synchronized boolean keep(CqlSession fresh) {
    session = isClosed ? null : fresh;
    return !isClosed;
  }

  private static boolean answers(CqlSession session) {
    try {
      session.execute(PING);
      return true;
    } catch (DriverException | IllegalStateException e) {
      return false;
    }
  }

  /** The driver only warns of it, and finds no server for any statement. */
  private void checkDatacenter(CqlSession fresh) {
    Set<String> found = new TreeSet<>();
    fresh
        .getMetadata()
        .getNodes()
        .values()
        .forEach(node -> found.add(String.valueOf(node.getDatacenter())));
    if (!found.contains(config.localDatacenter())) {
      throw new IllegalStateException(
          "localDatacenter must be the data centre of a server: the servers are in %s, none in %s"
              .formatted(String.join(", ", found), config.localDatacenter()));
    }
  }

  private CqlSessionBuilder builder() throws IOException, GeneralSecurityException {
    List<InetSocketAddress> hosts = config.hosts().stream().map(CassandraClient::address).toList();
    CqlSessionBuilder builder =
        CqlSession.builder()
            .withConfigLoader(settings())
            .withLocalDatacenter(config.localDatacenter())
            .addContactPoints(hosts);
    if (!config.login().user().isEmpty()) {
      builder.withAuthCredentials(config.login().user(), config.login().readPassword());
    }
    if (config.tls().enabled()) {
      builder.withSslEngineFactory(
          new ProgrammaticSslEngineFactory(
              StoreTls.context(config.tls()), null, config.tls().verifyHost()));
    }
    return builder;
  }

  /** The driver's own threads ask the name service. */
  private static InetSocketAddress address(String host) {
    int colon = host.lastIndexOf(':');
    return InetSocketAddress.createUnresolved(
        host.substring(0, colon), Integer.parseInt(host.substring(colon + 1)));
  }

  /** It gives up before the sink does, so that it says why. */
  private DriverConfigLoader settings() {
    long timeoutMs = config.sink().timeoutMs();
    Duration request = Duration.ofMillis(Math.max(LEAST_MS, timeoutMs * 2 / 3));
    Duration connect =
        Duration.ofMillis(Math.max(LEAST_MS, Math.min(MOST_CONNECT_MS, timeoutMs * 2 / 3)));
    long reconnectMs = Math.min(MOST_RECONNECT_MS, config.sink().maxPauseMs());
    return DriverConfigLoader.programmaticBuilder(CassandraClient.class.getClassLoader())
        .withString(DefaultDriverOption.SESSION_NAME, "galop-sink-" + config.name())
        .withBoolean(DefaultDriverOption.RESOLVE_CONTACT_POINTS, false)
        .withString(DefaultDriverOption.REQUEST_CONSISTENCY, "LOCAL_QUORUM")
        .withString(DefaultDriverOption.REQUEST_SERIAL_CONSISTENCY, "LOCAL_SERIAL")
        .withBoolean(DefaultDriverOption.REQUEST_DEFAULT_IDEMPOTENCE, true)
        .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, request)
        .withInt(DefaultDriverOption.REQUEST_PAGE_SIZE, PAGE_ROWS)
        .withDuration(DefaultDriverOption.CONNECTION_CONNECT_TIMEOUT, connect)
        .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, connect)
        .withDuration(DefaultDriverOption.CONNECTION_SET_KEYSPACE_TIMEOUT, connect)
        .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, connect)
        .withDuration(DefaultDriverOption.HEARTBEAT_INTERVAL, request)
        .withDuration(DefaultDriverOption.HEARTBEAT_TIMEOUT, request)
        .withDuration(DefaultDriverOption.RECONNECTION_BASE_DELAY, Duration.ofMillis(100))
        .withDuration(DefaultDriverOption.RECONNECTION_MAX_DELAY, Duration.ofMillis(reconnectMs))
        .withBoolean(DefaultDriverOption.NETTY_DAEMON, true)
        .withInt(DefaultDriverOption.NETTY_IO_SIZE, LOOPS)
        .withInt(DefaultDriverOption.NETTY_ADMIN_SIZE, 1)
        .build();
  }

  @Override
  public void close() {
    CqlSession old;
    synchronized (this) {
      isClosed = true;
      old = session;
      session = null;
    }
    if (old != null) {
      old.closeAsync();
    }
  }
}
