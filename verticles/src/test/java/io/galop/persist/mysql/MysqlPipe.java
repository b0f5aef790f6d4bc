package io.galop.persist.mysql;

import io.galop.persist.sink.Peer;
import io.galop.persist.store.StoreBatch;
import io.galop.record.Placed;
import io.galop.record.Record;
import io.galop.servers.MariaDbServer;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** The database's own client, with the same INSERTs of many rows, or with LOAD DATA. */
public final class MysqlPipe implements Peer {
  private static final String COLUMNS =
      "galop_records (id, topic, time_us, data, shard, epoch, `offset`, stored_us)";

  private final MariaDbServer server;
  private final boolean loads;
  private final List<Callable<Void>> clients = new ArrayList<>();

  public MysqlPipe(MariaDbServer server, boolean loads) {
    this.server = server;
    this.loads = loads;
  }

  @Override
  public String name() {
    return loads
        ? "LOAD DATA LOCAL INFILE, as many clients"
        : "mariadb client, the same INSERTs, as many clients";
  }

  @Override
  public void prepare(List<StoreBatch> parcels, Path directory, int inFlight) throws IOException {
    int number = 0;
    for (List<StoreBatch> hand : Peer.deal(parcels, inFlight)) {
      Path rows = directory.resolve((loads ? "load-" : "insert-") + number++);
      Path sql = loads ? directory.resolve(rows.getFileName() + ".sql") : rows;
      try (Writer out = Files.newBufferedWriter(rows)) {
        for (StoreBatch parcel : hand) {
          out.write(loads ? lines(parcel) : insert(parcel));
        }
      }
      if (loads) {
        Files.writeString(
            sql, "LOAD DATA LOCAL INFILE '" + rows + "' IGNORE INTO TABLE " + COLUMNS + ";");
      }
      clients.add(Peer.program(client(), sql));
    }
  }

  private List<String> client() {
    return List.of(
        "mariadb",
        "--no-defaults",
        "--local-infile=1",
        "--default-character-set=utf8mb4",
        "--host=127.0.0.1",
        "--port=" + server.port(),
        "--user=" + MariaDbServer.USER,
        "--password=" + MariaDbServer.PASSWORD,
        MariaDbServer.DATABASE);
  }

  private static String insert(StoreBatch parcel) {
    StringBuilder sql = new StringBuilder("INSERT INTO ").append(COLUMNS).append(" VALUES ");
    String comma = "";
    for (Placed placed : parcel.records()) {
      List<String> cells = cells(placed);
      sql.append(comma).append("('").append(String.join("','", cells)).append("')");
      comma = ",";
    }
    return sql.append(" ON DUPLICATE KEY UPDATE id = VALUES(id);\n").toString();
  }

  private static String lines(StoreBatch parcel) {
    StringBuilder lines = new StringBuilder();
    for (Placed placed : parcel.records()) {
      lines.append(String.join("\t", cells(placed))).append('\n');
    }
    return lines.toString();
  }

  /** What is measured with has neither quotes nor backslashes that would have to be escaped. */
  private static List<String> cells(Placed placed) {
    Record record = placed.record();
    return List.of(
        record.id(),
        record.topic(),
        Long.toString(record.timeUs()),
        new String(record.data(), StandardCharsets.UTF_8),
        Integer.toString(placed.position().shard()),
        Long.toString(placed.position().epoch()),
        Long.toString(placed.position().offset()),
        "1395000000000000");
  }

  @Override
  public void run() throws Exception {
    Peer.together(clients);
  }
}
