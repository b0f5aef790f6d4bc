package io.galop.persist.sink;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.SocketTimeoutException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class BatchSizeTest {
  @Test
  void shrinksWithAnswersThatDoNotComeAndGrowsWithWhatIsStored() {
    BatchSize size = new BatchSize(1000);
    size.onFailure(new StoreFailure(new SocketTimeoutException("read timed out")));
    assertEquals(500, size.records());
    store(size, 99);
    assertEquals(500, size.records());
    store(size, 1);
    assertEquals(562, size.records());
    store(size, 1000);
    assertEquals(1000, size.records());
  }

  @Test
  void isOneAtLeast() {
    BatchSize size = new BatchSize(4);
    for (int attempt = 0; attempt < 5; attempt++) {
      size.onFailure(new TimeoutException("no answer"));
    }
    assertEquals(1, size.records());
    store(size, 100);
    assertEquals(2, size.records());
  }

  private static void store(BatchSize size, int batches) {
    for (int batch = 0; batch < batches; batch++) {
      size.onStored();
    }
  }

  @Test
  void staysWhereTheStoreRefuses() {
    BatchSize size = new BatchSize(1000);
    size.onFailure(new StoreFailure(new IllegalStateException("its disk is full")));
    assertEquals(1000, size.records());
  }
}
