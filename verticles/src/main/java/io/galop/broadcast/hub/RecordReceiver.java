package io.galop.broadcast.hub;

import io.galop.broadcast.ring.Entry;
import io.galop.broadcast.sockjs.Frame;
import io.galop.broadcast.write.Outbox;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The connection to which the records of its registrations go. On its Hub's event loop. */
public interface RecordReceiver {
  /** Takes a record as it comes, for a registration that wants it. */
  void offer(Registration registration, Entry entry);

  /**
   * Watches when a record that it was just offered leaves.
   *
   * @param standsFor so many records that came with it
   */
  void sample(Registration registration, Entry entry, int standsFor);

  /**
   * Takes words about topics that a registration is told before what comes next.
   *
   * @param cut the number in the ring of the first record that comes next
   */
  void precede(Registration registration, List<Entry> words, long cut);

  /** Begins a registration with records from before the present, and words behind them. */
  void join(Registration registration, Joined joined, List<Entry> words);

  /**
   * Takes another snapshot: it makes up for all that a conflating registration was not sent, and is
   * shown to any other that asked to see it again.
   */
  void makeUp(Registration registration, Joined snapshot);

  /**
   * Takes the latest records of a shard of which others are missing.
   *
   * @param cut the number in the ring of the first record that comes next
   * @param closing what is said behind them; null if nothing is
   */
  void makeUpForGap(
      Registration registration, int shard, List<Entry> latest, long cut, @Nullable Frame closing);

  /** Takes a word about the feed, which comes before any record that waits. */
  void tell(Frame word);

  void remove(Registration registration);

  boolean isEnded();

  /** Ends the connection from this side. */
  void disconnect(Disconnect why);

  /** Reads a little of all that a record will touch; what it returns means nothing. */
  long look();

  /** How many records of the ring it has yet to look at. */
  long behind();

  /** What became of its records. */
  Outbox deliveries();

  /** Where it is, as far as that is known. */
  default String address() {
    return "";
  }
}
