package io.galop.broadcast.feed;

import io.galop.record.Position;
import io.galop.record.TopicFilter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * From which Position a relay has all of a shard that a filter means. That begins with the first
 * push that was made with the filter in mind; the filter is covered when its last values, asked for
 * afterwards, are here, and the pushes have passed them. Decides only; on the feed loop.
 */
final class ShardCover {
  private static final long NEVER = -1;

  /** Of a question for last values; what is left is asked for next. */
  private static final int MOST_ASKED_CHARS = 32 * 1024;

  /** Of a load's filters; beyond, all topics are loaded. A frame takes as much in three bytes. */
  private static final int MOST_LOADED_CHARS = 64 * 1024;

  private final int shard;
  private final int shards;
  private final boolean isOn;

  /** By the text of the filter; as many as are wanted. */
  private final Map<String, Claim> claims = new LinkedHashMap<>();

  /** Those of them that have wildcards. */
  private final Map<String, Claim> wild = new LinkedHashMap<>();

  /** What the last push was made with, and up to where it went. */
  private long pushedVersion = NEVER;

  private Position pushedTo;

  /** Whether a push of the version of the one before may change something. */
  private boolean isNew;

  /** Whether the load that all began with was of all topics. */
  private boolean isWholeLoad;

  /** From where on every record is here, wanted or not; null: some were left out. */
  private @Nullable Position wholeFrom;

  /** Whether a filter may have to be asked for, or wait for pushes: there may be many filters. */
  private boolean hasEmpty;

  private boolean hasAbsorbing;

  private boolean isAsking;
  private boolean mayAsk = true;

  /** Counts the times when all was begun anew. */
  private long beginning;

  private enum Step {
    EMPTY,
    ASKED,
    /** The values are here, of a load from which the pushes go on. */
    LOADED,
    /** The values are here, and the pushes have to pass them. */
    ABSORBING,
    COVERED
  }

  private static final class Claim {
    private final TopicFilter filter;
    private final long version;
    private Step step = Step.EMPTY;
    private @Nullable Position from;
    private @Nullable Position end;

    /** Whether the owner had more than it had pushed when it told the values. */
    private boolean isAhead;

    Claim(TopicFilter filter, long version) {
      this.filter = filter;
      this.version = version;
    }
  }

  /** A question for last values. */
  static final class Question {
    private final long beginning;
    private final List<Claim> claims;

    private Question(long beginning, List<Claim> claims) {
      this.beginning = beginning;
      this.claims = claims;
    }

    /** Whether one question can hold the filters. */
    boolean fits() {
      long chars = claims.stream().mapToLong(claim -> claim.filter.toString().length() + 2).sum();
      return chars <= MOST_LOADED_CHARS;
    }

    List<TopicFilter> filters() {
      return claims.stream().map(claim -> claim.filter).toList();
    }
  }

  private ShardCover(int shard, int shards, boolean isOn) {
    this.shard = shard;
    this.shards = shards;
    this.isOn = isOn;
    this.pushedTo = Position.none(shard);
  }

  /** Of a node that is sent what its viewers watch. */
  static ShardCover watched(int shard, int shards) {
    return new ShardCover(shard, shards, true);
  }

  /** Of a node that is sent everything. */
  static ShardCover everything(int shard) {
    return new ShardCover(shard, 1, false);
  }

  boolean isOn() {
    return isOn;
  }

  /** A filter is wanted as of a version; returns whether it is covered at once. */
  boolean want(TopicFilter filter, long version) {
    if (filter.isExact() && filter.shards(shards)[0] != shard) {
      return false;
    }
    Claim claim = new Claim(filter, version);
    claims.put(filter.toString(), claim);
    if (!filter.isExact()) {
      wild.put(filter.toString(), claim);
    }
    hasEmpty = true;
    if (wholeFrom != null) {
      claim.from = wholeFrom;
      claim.step = Step.COVERED;
    } else if (pushedVersion >= version) {
      claim.from = pushedTo; // everything came, wanted or not
    } else {
      isNew = true;
    }
    return wholeFrom != null;
  }

  /** It is wanted no more. */
  void drop(TopicFilter filter) {
    claims.remove(filter.toString());
    wild.remove(filter.toString());
  }

  /**
   * All begins anew, with a load of last values.
   *
   * @return of which filters
   */
  Question begin() {
    beginning++;
    isAsking = false;
    isNew = true;
    pushedVersion = NEVER;
    isWholeLoad = false;
    wholeFrom = null;
    for (Claim claim : claims.values()) {
      claim.from = null;
      claim.step = Step.EMPTY;
    }
    return new Question(beginning, List.copyOf(claims.values()));
  }

  /**
   * What all begins with is loaded: the next push goes on from there.
   *
   * @param isWhole whether it is of all topics
   */
  void begun(Question question, boolean isWhole) {
    if (question.beginning == beginning) {
      isWholeLoad = isWhole;
      question.claims.forEach(claim -> claim.step = Step.LOADED);
    }
  }

  /**
   * A push goes on from the one before, or from the load.
   *
   * @param version with which it was made; {@link Long#MAX_VALUE}: it holds everything
   * @return whether it holds all that is counted on; else all must begin anew
   */
  boolean push(long version, Position after, Position upTo) {
    if (isOn && (isNew || version != pushedVersion)) {
      isNew = false;
      hasEmpty = true;
      hasAbsorbing = true;
      isWholeLoad &= version == Long.MAX_VALUE;
      for (Claim claim : claims.values()) {
        if (!push(claim, version, after)) {
          return false;
        }
      }
      wholeFrom = !isWholeLoad ? null : wholeFrom == null ? after : wholeFrom;
    }
    pushedVersion = version;
    pushedTo = upTo;
    return true;
  }

  private boolean push(Claim claim, long version, Position after) {
    boolean isHeld = version >= claim.version;
    if (isHeld && claim.from == null) {
      claim.from = after;
      claim.step = claim.step == Step.LOADED || isWholeLoad ? Step.ABSORBING : claim.step;
      claim.end = after;
      claim.isAhead = false;
    } else if (!isHeld) {
      boolean isCountedOn = claim.step == Step.COVERED || wholeFrom != null;
      claim.step = Step.EMPTY;
      claim.from = isCountedOn ? claim.from : null;
    }
    return isHeld || claim.from == null;
  }

  /** What failed may be asked again. To be called often, but not at once. */
  void askAgain() {
    mayAsk = true;
  }

  /** The next question for last values; null: there is none, or one is asked. */
  @Nullable Question ask() {
    if (!hasEmpty || isAsking || !mayAsk) {
      return null;
    }
    hasEmpty = false;
    List<Claim> asked = new ArrayList<>();
    int chars = 0;
    for (Claim claim : claims.values()) {
      boolean isDue = claim.step == Step.EMPTY && claim.from != null;
      hasEmpty |= isDue && chars >= MOST_ASKED_CHARS;
      if (isDue && chars < MOST_ASKED_CHARS) {
        chars += claim.filter.toString().length();
        asked.add(claim);
      }
    }
    if (asked.isEmpty()) {
      return null;
    }
    isAsking = true;
    asked.forEach(claim -> claim.step = Step.ASKED);
    return new Question(beginning, asked);
  }

  /** Whether an answer is still of use. */
  boolean isAsked(Question question) {
    return question.beginning == beginning;
  }

  /**
   * A question has its answer.
   *
   * @param head as of which, or later, the owner has answered
   * @param end of the newest of the values
   * @return whether the owner is as far as the pushes are; else it is asked again
   */
  boolean answer(Question question, Position head, Position end) {
    if (!isAsked(question)) {
      return false;
    }
    isAsking = false;
    boolean isThere =
        question.claims.stream().allMatch(c -> c.from != null && head.compareTo(c.from) >= 0);
    for (Claim claim : question.claims) {
      claim.step = isThere ? Step.ABSORBING : Step.EMPTY;
      claim.end = end;
      claim.isAhead = end.compareTo(pushedTo) > 0;
    }
    mayAsk = isThere;
    hasEmpty |= !isThere;
    hasAbsorbing = true;
    return isThere;
  }

  /** A question has no answer. */
  void fail(Question question) {
    if (isAsked(question)) {
      isAsking = false;
      mayAsk = false;
      hasEmpty = true;
      question.claims.forEach(claim -> claim.step = Step.EMPTY);
    }
  }

  /** The node has taken all pushes up to here; returns whether a filter is covered now. */
  boolean reach(Position last) {
    if (!hasAbsorbing) {
      return false;
    }
    hasAbsorbing = false;
    boolean isAny = wholeFrom != null;
    for (Claim claim : claims.values()) {
      Position end = claim.end;
      if (claim.step == Step.ABSORBING && end != null && last.compareTo(end) >= 0) {
        // What an owner told ahead of its pushes may be lost with it, and hid what was before.
        boolean isLost = claim.isAhead && last.epoch() != end.epoch();
        claim.step = isLost ? Step.EMPTY : Step.COVERED;
        hasEmpty |= isLost;
        isAny |= !isLost;
      }
      hasAbsorbing |= claim.step == Step.ABSORBING;
    }
    return isAny;
  }

  /**
   * From where on all that a filter means is here; null: not yet. A filter that is not wanted yet
   * is never covered: pushes that leave it out could follow unnoticed.
   */
  @Nullable Position from(TopicFilter filter) {
    if (!isOn) {
      return Position.none(shard);
    }
    Claim own = claims.get(filter.toString());
    Position from = own == null ? null : from(own);
    return from != null ? from : fromOthers(filter);
  }

  private @Nullable Position fromOthers(TopicFilter filter) {
    for (Claim claim : wild.values()) {
      Position from = from(claim);
      if (from != null && claim.filter.covers(filter)) {
        return from;
      }
    }
    return null;
  }

  private @Nullable Position from(Claim claim) {
    return wholeFrom != null ? wholeFrom : claim.step == Step.COVERED ? claim.from : null;
  }

  /** Whether the last values of all that is wanted are here. */
  boolean isWhole() {
    return claims.values().stream()
        .noneMatch(claim -> claim.step == Step.EMPTY || claim.step == Step.ASKED);
  }
}
