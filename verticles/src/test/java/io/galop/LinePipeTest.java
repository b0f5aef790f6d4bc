package io.galop;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LinePipeTest {
  private final LinePipe pipe = new LinePipe(7);
  private final InputStream from = pipe.from();
  private final OutputStream to = pipe.to();

  private Thread print(byte[] all, int most) {
    Thread printing =
        new Thread(
            () -> {
              try {
                for (int at = 0; at < all.length; at += most) {
                  to.write(all, at, Math.min(most, all.length - at));
                }
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
            });
    printing.start();
    return printing;
  }

  @Test
  void whatIsPrintedByOneThreadAfterTheOtherIsReadInOrder() throws Exception {
    byte[] all = new byte[2_000];
    new Random(1).nextBytes(all);
    ByteArrayOutputStream read = new ByteArrayOutputStream();
    for (int most = 1; most < 20; most++) {
      Thread printing = print(all, most);
      read.write(from.readNBytes(all.length));
      printing.join();
      assertArrayEquals(all, read.toByteArray(), "in pieces of " + most);
      read.reset();
    }
    to.write('x');
    to.close();
    assertEquals('x', from.read());
    assertEquals(-1, from.read());
  }

  @Test
  void whoReadsWaitsThoughNoThreadThatPrintedIsAlive() throws Exception {
    print(new byte[] {1, 2}, 2).join();
    assertEquals(1, from.read());
    assertEquals(1, from.available());
    assertEquals(2, from.read());
    AtomicInteger read = new AtomicInteger();
    Thread reading =
        new Thread(
            () -> {
              try {
                read.set(from.read());
              } catch (IOException e) {
                read.set(-2);
              }
            });
    reading.start();
    Thread.sleep(3_000); // a pipe of the JDK is called broken after two seconds
    assertTrue(reading.isAlive());
    print(new byte[] {3}, 1).join();
    reading.join();
    assertEquals(3, read.get());
  }

  @Test
  void printingFailsWhenNobodyReadsAnyMore() throws Exception {
    to.write(new byte[7]);
    Thread closing =
        new Thread(
            () -> {
              try {
                from.close();
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
            });
    closing.start();
    assertThrows(IOException.class, () -> to.write(1));
    closing.join();
  }
}
