package io.galop.persist.cold;

import io.galop.config.ColdConfig;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/** The connections that answer queries; as many queries run at once. */
final class SqliteReaders implements AutoCloseable {
  private final BlockingQueue<Connection> connections;

  SqliteReaders(SqliteFile file, ColdConfig config) throws SQLException {
    connections = new ArrayBlockingQueue<>(config.readers());
    for (int i = 0; i < config.readers(); i++) {
      connections.add(file.reader());
    }
  }

  ColdPage query(ColdQuery query) throws SQLException, InterruptedException {
    Connection connection = connections.take();
    try {
      return new ColdSelect(connection, query).run();
    } finally {
      connections.add(connection);
    }
  }

  @Override
  public void close() throws SQLException {
    for (Connection connection : connections) {
      connection.close();
    }
  }
}
