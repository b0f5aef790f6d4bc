package io.galop.loadtest.experiments.reads;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.galop.loadtest.client.AnswerCheck;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Questions in a closed loop and at a rate, to a server that is right, wrong or slow. */
@Timeout(180)
class ReadersTest {
  private static final byte[] BODY = "[1,2,3]".getBytes(US_ASCII);
  private final EventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
  private HttpServer server;

  @AfterEach
  void stop() {
    server.stop(0);
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
  }

  private Readers readers(int connections, long delayMs, String answer) throws Exception {
    serve(0, delayMs, answer);
    byte[] request = NewestAnswer.request(NewestAnswer.uri(server.getAddress(), 3));
    Readers readers =
        new Readers(loops.next(), request, AnswerCheck.Expected.of(BODY), connections);
    readers.connect(server.getAddress());
    return readers;
  }

  private void serve(int port, long delayMs, String answer) throws Exception {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    server.setExecutor(Executors.newCachedThreadPool());
    server.createContext(
        "/",
        exchange -> {
          sleep(delayMs);
          exchange.sendResponseHeaders(200, answer.length());
          exchange.getResponseBody().write(answer.getBytes(US_ASCII));
          exchange.close();
        });
    server.start();
  }

  private static void sleep(long ms) {
    try {
      TimeUnit.MILLISECONDS.sleep(ms);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void eachAsksAgainInAClosedLoop() throws Exception {
    ReadTally tally = readers(3, 10, "[1,2,3]").askOn(3);
    assertEquals(0, tally.wrong(), tally.why());
    assertEquals(tally.asked(), tally.latencies().getTotalCount());
    assertTrue(tally.asked() >= 6, tally.asked() + " questions");
    assertTrue(tally.latencies().getMinValue() >= 9_900_000, "an answer takes 10 ms");
  }

  @Test
  void whatWaitsForAConnectionCountsFromWhenItWasDue() throws Exception {
    ReadTally tally = readers(1, 50, "[1,2,3]").askAt(100, 0.2);
    assertEquals(0, tally.wrong(), tally.why());
    assertEquals(20, tally.latencies().getTotalCount());
    long last = tally.latencies().getMaxValue();
    assertTrue(last >= 790_000_000, "20 answers of 50 ms, due within 190 ms: " + last);
  }

  @Test
  void whoWasSentAwayMeanwhileConnectsAgain() throws Exception {
    Readers readers = readers(3, 0, "[1,2,3]");
    int port = server.getAddress().getPort();
    server.stop(0);
    while (readers.open() > 0) {
      sleep(10);
    }
    serve(port, 0, "[1,2,3]");
    ReadTally tally = readers.askAt(100, 0.2);
    assertEquals(0, tally.wrong(), tally.why());
    assertEquals(20, tally.latencies().getTotalCount());
  }

  @Test
  void otherBytesAreWrong() throws Exception {
    Readers readers = readers(1, 0, "[1,2,4]");
    ReadTally tally = readers.askAt(100, 0.2);
    assertEquals(2, tally.wrong(), "one in ten is looked at");
    assertEquals("other bytes than expected", tally.why());
  }

  @Test
  void anAnswerThatIsTooShortIsWrong() throws Exception {
    ReadTally tally = readers(2, 0, "[1,2]").askAt(100, 0.1);
    assertEquals(10, tally.wrong());
    assertEquals("status 200, 5 bytes", tally.why());
  }
}
