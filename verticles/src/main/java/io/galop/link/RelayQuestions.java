package io.galop.link;

import io.galop.bus.Ask;
import io.galop.bus.Errand;
import io.galop.bus.Follow;
import io.galop.bus.Followed;
import io.galop.bus.HistoryQuery;
import io.galop.bus.LinkLane;
import io.galop.bus.Page;
import io.galop.bus.Push;
import io.galop.bus.Refusal;
import io.galop.record.Position;
import io.galop.record.TopicFilter;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a relay may ask of the secure zone, and how it is put there: the relay stands where others
 * may take it over, so nothing of its is passed on unseen. On one event loop.
 */
final class RelayQuestions {
  /** Of what the feed lives by. */
  private static final int MOST_AT_ONCE = 256;

  /**
   * Of pages of the past, which may take seconds each: they must not keep the feed from going on.
   */
  private static final int MOST_HISTORY_AT_ONCE = 32;

  /**
   * Of pages of what somebody missed, of the former: they must leave room for what else the feed
   * lives by.
   */
  private static final int MOST_FETCHES_AT_ONCE = 128;

  /**
   * A relay that is asked by relays asks on for these, beside its own: so many it takes from each.
   */
  private static final int MOST_PASSED_ON_AT_ONCE = 16;

  /** Of questions for last values, each with its filters. */
  private static final int MOST_VALUES_AT_ONCE = 32;

  /** As many as a relay may name by its configuration. */
  private static final int MOST_FILTERS = 10_000;

  private static final int MOST_CHARS_OF_FILTERS = 128 * 1024;

  private static final int ONE_BYTE = 1;
  private static final int MOST_FILTER_BYTES = 4096;
  private static final int SESSION_BITS = 32;
  private static final long SESSION = (1L << SESSION_BITS) - 1;

  private final LinkLane lane;
  private final int shards;
  private final int maxRecords;
  private final String follower;
  private final EpochClaims epochs;
  private int underWay;
  private final int mostHistory;
  private final int mostFetches;
  private int historyUnderWay;
  private int fetchesUnderWay;
  private int valuesUnderWay;

  /** Of the connection that stands; what follows by an older one is not its business. */
  private long connection;

  /** What the relay wants over that connection. */
  private WantedRecords wanted = new WantedRecords();

  /**
   * @param relay its number among those that the node dials
   * @param maxRecords of an answer from the past
   * @param isPassedOn whether this node is a relay itself
   */
  RelayQuestions(LinkLane lane, int shards, int relay, int maxRecords, boolean isPassedOn) {
    this.mostHistory = isPassedOn ? MOST_PASSED_ON_AT_ONCE : MOST_HISTORY_AT_ONCE;
    this.mostFetches = isPassedOn ? MOST_PASSED_ON_AT_ONCE : MOST_FETCHES_AT_ONCE;
    this.lane = lane;
    this.shards = shards;
    this.maxRecords = maxRecords;
    this.follower = lane.follower(relay);
    this.epochs = new EpochClaims(shards);
  }

  /** Another connection stands. */
  void reconnected() {
    connection++;
    wanted = new WantedRecords();
  }

  /** The relay's own session of what an owner pushes; negative if it is of another connection. */
  long session(long pushed) {
    return pushed >>> SESSION_BITS == connection ? pushed & SESSION : -1;
  }

  /** What is to be sent of a push, with the relay's own session; null: nothing yet. */
  @Nullable Push wanted(Push push) {
    return wanted.of(push, System.nanoTime());
  }

  /** What was sent has not got there. */
  void notSent(Push push) {
    wanted.notSent(push);
  }

  /** Pushes without records, which say from where on the relay's last word holds; once. */
  List<Push> marks() {
    return wanted.marks();
  }

  /** How many filters the relay wants; -1: it wants everything. */
  int wantedFilters() {
    return wanted.filters();
  }

  /** An owner has spoken of this Position. */
  void saw(Position position) {
    epochs.saw(position.shard(), position.epoch());
  }

  /**
   * Answers a question.
   *
   * @throws IllegalArgumentException if no relay asks so
   */
  Future<?> ask(Errand errand) {
    Errand asked = checked(errand);
    if (asked.message() instanceof Errand.Want want) {
      wanted.set(
          want.version(), want.everything() ? null : parsed(want.filters()), System.nanoTime());
      return Future.succeededFuture();
    }
    if (asked.kind() == Errand.Kind.HISTORY) {
      return history(asked);
    }
    boolean isFetch = asked.kind() == Errand.Kind.FETCH;
    if (underWay >= MOST_AT_ONCE || isFetch && fetchesUnderWay >= mostFetches) {
      return busy();
    }
    if (asked.message() instanceof Follow follow
        && !epochs.isKnown(follow.since().shard(), follow.newestEpoch())) {
      return followIfSeen(asked, follow);
    }
    return begin(asked);
  }

  private static Future<Object> busy() {
    return Future.failedFuture(
        new Refusal(Refusal.Why.BUSY, "the relay has asked too much at once"));
  }

  private Future<?> begin(Errand asked) {
    Supplier<Future<?>> question = question(asked); // what throws there is not under way yet
    underWay++;
    int fetches = asked.kind() == Errand.Kind.FETCH ? 1 : 0;
    fetchesUnderWay += fetches;
    return question
        .get()
        .onComplete(
            (answer, failure) -> {
              underWay--;
              fetchesUnderWay -= fetches;
              note(asked, answer);
            });
  }

  private Supplier<Future<?>> question(Errand asked) {
    if (asked.message() instanceof Errand.Values values) {
      TopicMatch match = new TopicMatch(parsed(values.filters()));
      return () -> values(asked, values, match);
    }
    return () -> lane.ask(asked);
  }

  /** The owner gives the last values of all topics; what is not asked for does not cross. */
  private Future<?> values(Errand asked, Errand.Values values, TopicMatch match) {
    if (valuesUnderWay >= MOST_VALUES_AT_ONCE) {
      return busy();
    }
    valuesUnderWay++;
    return matching(asked, values, match).onComplete(done -> valuesUnderWay--);
  }

  private Future<Page> matching(Errand asked, Errand.Values values, TopicMatch match) {
    boolean isHeadOnly = values.filters().isEmpty();
    Ask ask = values.ask();
    Ask all = isHeadOnly ? new Ask(ask.shard(), ask.since(), "", ONE_BYTE) : ask;
    return lane.ask(new Errand(Errand.Kind.LATEST, asked.node(), asked.timeoutMs(), all))
        .map(Page.class::cast)
        .map(
            page ->
                new Page(
                    isHeadOnly || page.complete(),
                    page.upTo(),
                    isHeadOnly ? "" : page.next(),
                    page.records().stream()
                        .filter(placed -> match.matches(placed.record().topic()))
                        .toList()));
  }

  private static List<TopicFilter> parsed(List<String> filters) {
    return filters.stream().map(one -> TopicFilter.parse(one, MOST_FILTER_BYTES)).toList();
  }

  /** What a store says of itself is not for the other side of the border. */
  private Future<?> history(Errand asked) {
    if (historyUnderWay >= mostHistory) {
      return busy();
    }
    historyUnderWay++;
    return lane.ask(asked)
        .onComplete(done -> historyUnderWay--)
        .recover(
            failure ->
                Future.failedFuture(
                    new Refusal(Refusal.of(failure).why(), "the node could not say it")));
  }

  /**
   * The owner may be beyond that epoch without a word of it over this link: then it is no claim.
   */
  private Future<?> followIfSeen(Errand asked, Follow follow) {
    Ask newest = new Ask(follow.since().shard(), follow.since(), "", ONE_BYTE);
    return begin(new Errand(Errand.Kind.LATEST, asked.node(), asked.timeoutMs(), newest))
        .transform(
            looked ->
                mayFollow(follow)
                    ? begin(asked)
                    : Future.failedFuture(
                        new Refusal(
                            Refusal.Why.NOT_READY,
                            "the relay names epoch %d, which this node has not seen"
                                .formatted(follow.newestEpoch()))));
  }

  private boolean mayFollow(Follow follow) {
    return epochs.mayClaim(follow.since().shard(), follow.newestEpoch(), System.nanoTime());
  }

  private Errand checked(Errand errand) {
    return switch (errand.kind()) {
      case FOLLOW -> with(errand, own((Follow) errand.message()));
      case LATEST, FETCH -> {
        Ask ask = (Ask) errand.message();
        mustBeShard(ask.shard());
        mustBeShard(ask.since().shard());
        yield errand;
      }
      case HISTORY -> with(errand, bounded((HistoryQuery) errand.message()));
      case VALUES -> {
        Errand.Values values = (Errand.Values) errand.message();
        mustBeShard(values.ask().shard());
        mustBeShard(values.ask().since().shard());
        mustBeFew(values.filters());
        yield errand;
      }
      case WANT -> {
        mustBeFew(((Errand.Want) errand.message()).filters());
        yield errand;
      }
      case PUSH, REVOKE, LOAD, BEGIN, PART, PRESENCE, DRILL ->
          throw new IllegalArgumentException("a relay tells nothing");
    };
  }

  private static void mustBeFew(List<String> filters) {
    long chars = filters.stream().mapToLong(String::length).sum();
    if (filters.size() > MOST_FILTERS || chars > MOST_CHARS_OF_FILTERS) {
      throw new IllegalArgumentException(
          "%d filters of %d characters are too many".formatted(filters.size(), chars));
    }
  }

  private static Errand with(Errand errand, Object message) {
    return new Errand(errand.kind(), errand.node(), errand.timeoutMs(), message);
  }

  private Follow own(Follow follow) {
    mustBeShard(follow.since().shard());
    if (follow.session() < 0 || follow.session() > SESSION) {
      throw new IllegalArgumentException("session " + follow.session());
    }
    long session = connection << SESSION_BITS | follow.session();
    return new Follow(follower, session, follow.since(), follow.newestEpoch());
  }

  private HistoryQuery bounded(HistoryQuery query) {
    TopicFilter.parse(query.filter(), MOST_FILTER_BYTES);
    return new HistoryQuery(
        query.filter(),
        query.fromUs(),
        query.toUs(),
        Math.max(1, Math.min(maxRecords, query.limit())),
        query.newestFirst(),
        query.next());
  }

  private void mustBeShard(int shard) {
    if (shard < 0 || shard >= shards) {
      throw new IllegalArgumentException("there is no shard " + shard);
    }
  }

  private void note(Errand asked, @Nullable Object answer) {
    if (answer instanceof Followed followed) {
      saw(followed.from());
    } else if (answer instanceof Page page && asked.kind() != Errand.Kind.HISTORY) {
      saw(page.upTo());
    }
  }
}
