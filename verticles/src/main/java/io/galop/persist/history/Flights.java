package io.galop.persist.history;

import io.netty.buffer.ByteBuf;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Searches that several wait for: of each question one at most is under way. Who asks while one is
 * that began with the same state of the memory gets its answer; who asks later, when something has
 * come in, gets that of the next, which begins when this one ends: nobody gets an answer that began
 * before he asked. Safe to call from any event loop; everybody is called back on his own.
 *
 * @param <Q> a question
 */
final class Flights<Q> {
  private final Map<Q, Flight> underWay = new HashMap<>();

  /** One search. */
  final class Flight {
    private final Q question;
    private final Supplier<long[]> look;
    private final List<Consumer<Optional<ByteBuf>>> followers = new ArrayList<>();
    private final Runnable begin;

    /** Set when it begins, as the two below under the lock of the flights. */
    private long[] state = {};

    /** The search that begins when this one is over; null while nobody waits for it. */
    private @Nullable Flight next;

    private boolean isOver;

    private Flight(Q question, Supplier<long[]> look, Consumer<Flight> lead) {
      this.question = question;
      this.look = look;
      this.begin = onCaller(() -> lead.accept(this));
    }

    /** Of the memory when the search began. */
    long[] state() {
      return state;
    }

    /**
     * The search is over.
     *
     * @param body stays the caller's; followers get references of their own. Empty if there is none
     *     for them
     */
    void end(Optional<ByteBuf> body) {
      for (Consumer<Optional<ByteBuf>> follower : finish()) {
        follower.accept(body.map(ByteBuf::retainedDuplicate));
      }
    }

    private List<Consumer<Optional<ByteBuf>>> finish() {
      synchronized (Flights.this) {
        if (isOver) {
          return List.of();
        }
        isOver = true;
        if (next == null) {
          underWay.remove(question);
        } else {
          underWay.put(question, next);
          next.state = look.get();
        }
      }
      if (next != null) { // it changes no more, now that this one is over
        next.begin.run();
      }
      return followers;
    }
  }

  /**
   * Leads a search or follows one.
   *
   * @param look gives the state of the memory
   * @param lead searches and then ends the flight, whatever happens
   * @param follow gets the answer, to be released once; empty if there is none
   */
  void join(
      Q question,
      Supplier<long[]> look,
      Consumer<Flight> lead,
      Consumer<Optional<ByteBuf>> follow) {
    Flight own = new Flight(question, look, lead);
    Consumer<Optional<ByteBuf>> onAnswer = onCaller(follow);
    synchronized (this) {
      own.state = look.get();
      Flight now = underWay.putIfAbsent(question, own);
      if (now != null) {
        Flight next = now.next;
        if (Arrays.equals(now.state, own.state)) {
          now.followers.add(onAnswer);
        } else if (next != null) {
          next.followers.add(onAnswer);
        } else {
          now.next = own;
        }
        return;
      }
    }
    lead.accept(own);
  }

  private static Runnable onCaller(Runnable work) {
    Context caller = Vertx.currentContext();
    return caller == null ? work : () -> caller.runOnContext(none -> work.run());
  }

  private static <T> Consumer<T> onCaller(Consumer<T> work) {
    Context caller = Vertx.currentContext();
    return caller == null ? work : given -> caller.runOnContext(none -> work.accept(given));
  }
}
