package io.galop.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** When tokens are asked for and sent, by a clock that the test turns. */
class RenewalTest {
  private final Clock clock = new Clock();
  private final List<String> sent = new ArrayList<>();
  private int asked;

  /** The n-th token that the source gives. */
  private static String token(int number) {
    long expires = System.currentTimeMillis() / 1000 + 3600;
    String claims = "{\"exp\":" + expires + ",\"n\":" + number + "}";
    byte[] bytes = claims.getBytes(StandardCharsets.UTF_8);
    return "e30." + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes) + ".c2ln";
  }

  /** An answer does not say which token it is about. */
  @Test
  void hasOneTokenInFlightAtATime() {
    Renewal renewal =
        new Renewal(
            () -> CompletableFuture.completedFuture(token(++asked)), token(0), sent::add, clock);
    clock.turn();
    assertEquals(List.of(token(1)), sent);
    assertEquals(0, clock.tasks.size(), "whoever waits for an answer asks for no other token");
    renewal.answered(false);
    clock.turn();
    assertEquals(List.of(token(1), token(2)), sent, "what was refused is followed by the newest");
    renewal.answered(true);
    renewal.answered(false); // to nothing that is in flight
    assertEquals(1, clock.tasks.size());
    clock.turn();
    assertEquals(3, asked);
    assertEquals(0, clock.tasks.size());
    renewal.stop();
    renewal.answered(true);
    assertEquals(0, clock.tasks.size());
  }

  /** A source may have none for a while. */
  @Test
  void asksAgainForATokenThatIsNone() {
    TokenSource source = () -> ++asked == 1 ? "" : asked == 2 ? null : token(asked);
    Door door = new Door(HttpClient.newHttpClient(), Runnable::run, source, true);
    Renewal renewal = new Renewal(door::token, token(0), sent::add, clock);
    clock.turn();
    assertEquals(1, clock.tasks.size());
    clock.turn();
    assertEquals(List.of(), sent);
    assertFalse(renewal.isInFlight());
    clock.turn();
    assertEquals(List.of(token(3)), sent);
    assertTrue(renewal.isInFlight());
  }

  /** Runs what is due when the test says so. */
  private static final class Clock extends ScheduledThreadPoolExecutor {
    final Deque<Due> tasks = new ArrayDeque<>();

    Clock() {
      super(0);
    }

    void turn() {
      tasks.removeFirst().run();
    }

    @Override
    public void execute(Runnable task) {
      task.run();
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
      Due due = new Due(task);
      tasks.add(due);
      return due;
    }

    private final class Due extends FutureTask<Void> implements ScheduledFuture<Void> {
      Due(Runnable task) {
        super(task, null);
      }

      @Override
      public boolean cancel(boolean mayInterrupt) {
        tasks.remove(this);
        return super.cancel(mayInterrupt);
      }

      @Override
      public long getDelay(TimeUnit unit) {
        return 0;
      }

      @Override
      public int compareTo(Delayed other) {
        return 0;
      }
    }
  }
}
