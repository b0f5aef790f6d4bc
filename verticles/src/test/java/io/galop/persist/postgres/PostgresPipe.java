package io.galop.persist.postgres;

import io.galop.persist.sink.Peer;
import io.galop.persist.store.StoreBatch;
import io.galop.record.Placed;
import io.galop.record.Record;
import io.galop.servers.PostgresServer;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** The database's own client, with INSERTs of many rows, or with COPY. */
public final class PostgresPipe implements Peer {
  private static final String COLUMNS =
      "galop_records (id, topic, time_us, data, shard, epoch, \"offset\", stored_us)";

  private final PostgresServer server;
  private final boolean loads;
  private final List<Callable<Void>> clients = new ArrayList<>();

  public PostgresPipe(PostgresServer server, boolean loads) {
    this.server = server;
    this.loads = loads;
  }

  @Override
  public String name() {
    return loads
        ? "COPY by psql, as many clients, no duplicates allowed"
        : "psql, INSERTs of the same rows, as many clients";
  }

  @Override
  public void prepare(List<StoreBatch> parcels, Path directory, int inFlight) throws IOException {
    int number = 0;
    for (List<StoreBatch> hand : Peer.deal(parcels, inFlight)) {
      Path sql = directory.resolve((loads ? "copy-" : "insert-") + number++);
      try (Writer out = Files.newBufferedWriter(sql)) {
        for (StoreBatch parcel : hand) {
          out.write(loads ? copy(parcel) : insert(parcel));
        }
      }
      clients.add(Peer.program(client(), sql));
    }
  }

  private List<String> client() {
    return List.of(
        "psql",
        "--no-psqlrc",
        "--quiet",
        "--set=ON_ERROR_STOP=1",
        "postgresql://%s:%s@127.0.0.1:%d/%s"
            .formatted(
                PostgresServer.USER,
                PostgresServer.PASSWORD.replace(" ", "%20"),
                server.port(),
                PostgresServer.DATABASE));
  }

  private static String insert(StoreBatch parcel) {
    StringBuilder sql = new StringBuilder("INSERT INTO ").append(COLUMNS).append(" VALUES ");
    String comma = "";
    for (Placed placed : parcel.records()) {
      List<String> cells = cells(placed);
      sql.append(comma).append("('").append(String.join("','", cells)).append("')");
      comma = ",";
    }
    return sql.append(" ON CONFLICT (topic, id) DO NOTHING;\n").toString();
  }

  private static String copy(StoreBatch parcel) {
    StringBuilder lines = new StringBuilder("COPY " + COLUMNS + " FROM stdin;\n");
    for (Placed placed : parcel.records()) {
      lines.append(String.join("\t", cells(placed))).append('\n');
    }
    return lines.append("\\.\n").toString();
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
