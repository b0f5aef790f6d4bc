package io.galop.persist.cassandra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.NoNodeAvailableException;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.ReadFailureException;
import io.galop.config.ConfigLoader;
import io.galop.persist.cassandra.WrittenNames.Name;
import io.galop.persist.store.ReopenException;
import java.net.InetAddress;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CassandraTextsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Rejected an oversized mutation (1/2) for keyspace: galop. Top keys are: x | true",
        "Guardrail column_value_size violated: Value of column 'data' has size 1 | true",
        "Guardrail column_text_value_size violated: Value of column 'data' has size 1 | true",
        "Guardrail replica_disk_usage violated: Write request failed because disk usage | false",
        "Key length of 70000 is longer than maximum of 65535 | true",
        "table galop_records does not exist | false",
        "Keyspace galop does not exist | false",
        "unconfigured table galop_records | false"
      })
  void onlyErrorsOfValuesAreTheRecords(String said, boolean isAboutTheRecord) {
    assertEquals(
        isAboutTheRecord, CassandraErrors.isBadRecord(new InvalidQueryException(null, said)));
  }

  @Test
  void aLookThatIsNotAnsweredOpensTheStoreAgainAndOneThatIsRefusedDoesNot() {
    assertInstanceOf(
        ReopenException.class, CassandraErrors.ofLook(new DriverTimeoutException("late")));
    assertInstanceOf(ReopenException.class, CassandraErrors.ofLook(new NoNodeAvailableException()));
    Exception refused = CassandraErrors.ofLook(new InvalidQueryException(null, "no table"));
    assertFalse(refused instanceof ReopenException, refused.getMessage());
  }

  @ParameterizedTest
  @CsvSource({"1, true", "0, false"})
  void aReadOverTooManyRowsThatAreGoneSaysWhatToAskInstead(int reason, boolean isTold)
      throws Exception {
    InetAddress server = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    Exception told =
        CassandraErrors.told(
            new ReadFailureException(
                null,
                DefaultConsistencyLevel.LOCAL_QUORUM,
                0,
                1,
                1,
                false,
                Map.of(server, reason)));
    assertEquals(isTold, told.getMessage().contains("ask from a later time"), told.getMessage());
  }

  @ParameterizedTest
  @CsvSource({"0,none", "1,1", "48,2", "168,7"})
  void filesHoldAPartOfTheRetention(int hours, String window) {
    String records = CassandraSchema.tables(hours).get("galop_records");
    String size = "'compaction_window_size': " + window + "}";
    assertEquals(hours > 0, records.contains("TimeWindowCompactionStrategy"), records);
    assertEquals(hours > 0, records.contains(size), records);
  }

  @Test
  void aNameIsWrittenAgainWhenItIsOldOrForgotten() {
    WrittenNames known = new WrittenNames(2);
    Name a = new Name(Instant.EPOCH, "a");
    Name b = new Name(Instant.EPOCH, "b");
    assertFalse(known.isFresh(a, 5));
    known.onWritten(List.of(a, b), 5);
    long fresh = TimeUnit.SECONDS.toNanos(WrittenNames.FRESH_SECONDS);
    assertTrue(known.isFresh(a, fresh));
    assertFalse(known.isFresh(a, 5 + fresh));
    known.onWritten(List.of(new Name(Instant.EPOCH, "c")), 5);
    assertTrue(known.isFresh(a, 5), "it was used later than b");
    assertFalse(known.isFresh(b, 5));
    known.forget();
    assertFalse(known.isFresh(a, 5));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "hosts: [db.example] | hosts: must be host:port, not 'db.example'",
        "keyspace: Galop-1 | keyspace: must be up to 48 small letters, digits and '_'",
        "localDatacenter: '' | localDatacenter",
        "retentionHours: 99999 | retentionHours",
        "bucketHours: 0 | bucketHours",
        "login: {password: a, passwordFile: b} | password: must be given once"
      })
  void aWrongSettingIsToldByFieldAndRule(String setting, String said) {
    String set = "persist.cold.stores=[{cassandra: {%s}}]".formatted(setting);
    Exception refused =
        Assertions.assertThrows(
            Exception.class,
            () -> ConfigLoader.load(Optional.empty(), Map.of(), List.of(set), Map.of()));
    assertTrue(String.valueOf(refused.getMessage()).contains(said), refused.getMessage());
  }
}
