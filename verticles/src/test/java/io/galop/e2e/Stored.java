package io.galop.e2e;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** What a node keeps, asked for as a user would: over HTTP, and with another tool in its file. */
final class Stored {
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private Stored() {}

  static HttpResponse<String> get(URI uri) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(uri).header("Accept", "application/x-ndjson").build();
    return HTTP.send(request, HttpResponse.BodyHandlers.ofString());
  }

  static HttpResponse<String> post(URI uri, String type, String body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .header("Content-Type", type)
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    return HTTP.send(request, HttpResponse.BodyHandlers.ofString());
  }

  /** The records of a history answer; who waits for them asks again if there is none. */
  static List<Seen> history(URI uri) throws IOException, InterruptedException {
    HttpResponse<String> answer = get(uri);
    if (answer.statusCode() != 200) {
      throw new IOException(uri + " answered " + answer.statusCode() + ": " + answer.body());
    }
    return answer.body().lines().map(JsonObject::new).map(Seen::of).toList();
  }

  /** Every row of the cold store's file. */
  static List<Seen> cold(Path dataDir) throws SQLException {
    List<Seen> rows = new ArrayList<>();
    readCold(dataDir, rows::add);
    return rows;
  }

  /** Every row of the cold store's file, one after the other. */
  static void readCold(Path dataDir, Consumer<Seen> to) throws SQLException {
    try (Connection db =
            DriverManager.getConnection("jdbc:sqlite:" + dataDir.resolve("cold.sqlite"));
        Statement statement = db.createStatement();
        ResultSet row = statement.executeQuery("select id, topic, data from records")) {
      while (row.next()) {
        String hash = Seen.hash(new JsonObject(row.getString(3)));
        to.accept(new Seen(row.getString(1), row.getString(2), hash));
      }
    }
  }

  /** How many rows the cold store's file has. */
  static int count(Path dataDir) throws SQLException {
    try (Connection db =
            DriverManager.getConnection("jdbc:sqlite:" + dataDir.resolve("cold.sqlite"));
        Statement statement = db.createStatement();
        ResultSet row = statement.executeQuery("select count(*) from records")) {
      return row.next() ? row.getInt(1) : 0;
    }
  }

  /** Keeps the node from writing to its cold store, as another tool with the file open would. */
  static Connection lock(Path dataDir) throws SQLException {
    Connection db = DriverManager.getConnection("jdbc:sqlite:" + dataDir.resolve("cold.sqlite"));
    try (Statement statement = db.createStatement()) {
      statement.execute("pragma busy_timeout = 10000");
      db.setAutoCommit(false);
      statement.execute("create table if not exists held (by text)");
    }
    return db;
  }
}
