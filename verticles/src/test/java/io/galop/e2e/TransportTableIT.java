package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The same guarantees on every transport: sockjs-client in Node.js, the sockjs-client that a node
 * serves in Chromium, and plain HTTP clients for the transports that only browsers have.
 */
@Timeout(600)
class TransportTableIT {
  /** Checks one guarantee on all rows; row → what is wrong. */
  private interface Check {
    Map<Row, String> problems() throws Exception;
  }

  @TempDir static Path directory;
  private static Stage stage;
  private static TransportTable table;

  @BeforeAll
  static void start() throws Exception {
    stage = new Stage(directory);
    stage.open();
    table = new TransportTable(stage.rows());
  }

  @AfterAll
  static void print() throws Exception {
    if (table != null) {
      table.print(Path.of("target/transport-table.txt"));
    }
    if (stage != null) {
      stage.close();
    }
  }

  /** The last one ends a node. */
  @TestFactory
  Stream<DynamicContainer> everyTransportHolds() {
    Guarantees guarantees = new Guarantees(stage);
    Entries entries = new Entries(stage);
    Shares shares = new Shares(stage);
    return Stream.of(
        column("all records", guarantees::allRecords),
        column("snapshot", guarantees::snapshot),
        column("resume", guarantees::resume),
        column("deltas", guarantees::deltas),
        column("incomplete", guarantees::incompleteResume),
        column("latest", guarantees::latest),
        column("stale", guarantees::stale),
        column("silent", guarantees::silent),
        column("auth", entries::auth),
        column("origin", entries::origin),
        column("omit", shares::omit),
        column("maxRate", shares::maxRate),
        column("caps", shares::caps),
        column("disconnect", shares::disconnect),
        column("drain", guarantees::drain));
  }

  /** A column is checked when the first of its cells is asked for. */
  private static DynamicContainer column(String guarantee, Check check) {
    Stream<DynamicTest> cells =
        Stream.of(check)
            .flatMap(
                one -> {
                  table.put(guarantee, run(one));
                  return stage.rows().stream().map(row -> cell(guarantee, row));
                });
    return DynamicContainer.dynamicContainer(guarantee, cells);
  }

  private static DynamicTest cell(String guarantee, Row row) {
    return DynamicTest.dynamicTest(
        guarantee + " on " + row, () -> assertEquals("", table.problem(guarantee, row)));
  }

  private static Map<Row, String> run(Check check) {
    try {
      return check.problems();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
