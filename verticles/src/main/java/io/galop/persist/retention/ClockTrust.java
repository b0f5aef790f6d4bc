package io.galop.persist.retention;

import io.galop.jvm.Moment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/**
 * What of a clock is believed when records are deleted by their age. A wall clock goes on as the
 * steady one does; where it is suddenly ahead it may be wrong, or the machine slept or was off, and
 * nothing tells which. So a rise counts for what is kept so long when the clock has stayed there
 * for as long while the node ran: then all that was stored before is old by either clock. A clock
 * that is behind deletes too little, which does no harm.
 *
 * @param base by how many milliseconds the wall clock is before the steady one, believed from the
 *     beginning
 * @param rises where it went from there, each higher than the one before
 * @param movedMs until when slow drift was followed, by the steady clock
 * @param behindSinceMs since when it is behind all that is known, by the steady clock
 */
public record ClockTrust(long base, List<Rise> rises, long movedMs, OptionalLong behindSinceMs) {
  /** Clocks are set right by steps, leap seconds among them. */
  static final long STEP_MS = TimeUnit.MINUTES.toMillis(1);

  /** A restart takes so long. */
  static final long RESTART_MS = TimeUnit.MINUTES.toMillis(10);

  /** A machine without a battery begins anywhere in the past until it has asked for the time. */
  static final long BEHIND_MS = TimeUnit.MINUTES.toMillis(10);

  /** What sets clocks right slowly makes them run up to a twelfth faster. */
  private static final long SLOWEST = 8;

  private static final int MOST_RISES = 256;

  /** The wall clock was suddenly ahead: by how much of the steady one, and since when by that. */
  public record Rise(long offset, long seenMs) {}

  /** Takes a copy. */
  public ClockTrust {
    rises = List.copyOf(rises);
  }

  /** Believes what the wall clock says. */
  private static ClockTrust of(Moment now) {
    return new ClockTrust(offset(now), List.of(), now.steadyMs(), OptionalLong.empty());
  }

  private static long offset(Moment now) {
    return now.wallMs() - now.steadyMs();
  }

  private long top() {
    return rises.isEmpty() ? base : rises.get(rises.size() - 1).offset();
  }

  /** The rise that was seen last, if it was not taken back. */
  public Optional<Rise> newest() {
    return rises.isEmpty() ? Optional.empty() : Optional.of(rises.get(rises.size() - 1));
  }

  /** Whether the clock was found ahead when this was made of what was known before. */
  public Optional<Rise> riseSince(ClockTrust before) {
    boolean isRise = top() - before.top() > STEP_MS;
    return isRise ? newest() : Optional.empty();
  }

  /** How far a rise went. */
  public long heightMs(Rise rise) {
    int at = rises.indexOf(rise);
    return rise.offset() - (at == 0 ? base : rises.get(at - 1).offset());
  }

  /** After a look at both clocks. */
  public ClockTrust next(Moment now) {
    long ahead = offset(now) - top();
    if (ahead > STEP_MS) {
      return risen(now);
    }
    return ahead >= -STEP_MS ? drifted(now, ahead) : fallen(now);
  }

  private ClockTrust risen(Moment now) {
    List<Rise> more = new ArrayList<>(rises);
    more.add(new Rise(offset(now), now.steadyMs()));
    return new ClockTrust(
        base, thinned(more, now.steadyMs()), now.steadyMs(), OptionalLong.empty());
  }

  /**
   * Without one of them what it rose to is believed with the next one, so later: by a sixteenth of
   * its age at most.
   */
  private static List<Rise> thinned(List<Rise> rises, long steadyMs) {
    int last = rises.size() - 1;
    if (last < MOST_RISES) {
      return rises;
    }
    List<Rise> fewer = new ArrayList<>(rises.subList(0, 1));
    for (int i = 1; i < last; i++) {
      long nextMs = rises.get(i + 1).seenMs();
      long apartMs = nextMs - fewer.get(fewer.size() - 1).seenMs();
      if (apartMs > (steadyMs - nextMs) / 16) {
        fewer.add(rises.get(i));
      }
    }
    fewer.add(rises.get(last));
    return fewer;
  }

  private ClockTrust drifted(Moment now, long ahead) {
    long most = Math.max(0, now.steadyMs() - movedMs) / SLOWEST;
    if (most == 0 || ahead == 0) {
      long moved = ahead == 0 ? now.steadyMs() : movedMs;
      return new ClockTrust(base, rises, moved, OptionalLong.empty());
    }
    long by = Math.max(-most, Math.min(most, ahead));
    if (rises.isEmpty()) {
      return new ClockTrust(base + by, rises, now.steadyMs(), OptionalLong.empty());
    }
    Rise last = rises.get(rises.size() - 1);
    List<Rise> moved = new ArrayList<>(rises.subList(0, rises.size() - 1));
    moved.add(new Rise(last.offset() + by, last.seenMs()));
    return new ClockTrust(base, moved, now.steadyMs(), OptionalLong.empty());
  }

  /** Rises that were taken back were wrong; behind all that is known it says nothing of them. */
  private ClockTrust fallen(Moment now) {
    long offset = offset(now);
    if (offset < base - STEP_MS) {
      long since = behindSinceMs.orElse(now.steadyMs());
      return now.steadyMs() - since >= BEHIND_MS
          ? of(now)
          : new ClockTrust(base, rises, movedMs, OptionalLong.of(since));
    }
    List<Rise> left = rises.stream().filter(rise -> rise.offset() <= offset + STEP_MS).toList();
    ClockTrust back = new ClockTrust(base, left, now.steadyMs(), OptionalLong.empty());
    return offset > back.top() + STEP_MS ? back.risen(now) : back;
  }

  /** What time it is for what is kept so long. */
  public long nowMs(long keptMs, Moment now) {
    long believed =
        LongStream.concat(
                LongStream.of(base),
                rises.stream()
                    .filter(rise -> now.steadyMs() - rise.seenMs() >= keptMs)
                    .mapToLong(Rise::offset))
            .max()
            .orElse(base);
    return Math.min(now.wallMs(), now.steadyMs() + believed);
  }

  /**
   * After a start: the steady clock began anew, and the wall clock may be anywhere.
   *
   * @param now the first moment of this process
   */
  public static ClockTrust restored(Noted noted, Moment now) {
    long gapMs = now.wallMs() - noted.topMs();
    long downMs = gapMs > 0 && gapMs <= RESTART_MS ? gapMs : 0;
    long shift = downMs - now.steadyMs();
    List<Rise> rises =
        noted.rises().stream()
            .map(rise -> new Rise(rise.wallMs() + shift, now.steadyMs() - rise.ageMs()))
            .toList();
    long base = noted.baseMs() + shift;
    OptionalLong behindSince =
        noted.behindMs().stream().map(behindMs -> now.steadyMs() - behindMs).findFirst();
    return new ClockTrust(base, rises, now.steadyMs(), behindSince).next(now);
  }

  /** What the next start is to know. */
  public Noted noted(Moment now) {
    return new Noted(
        base + now.steadyMs(),
        rises.stream()
            .map(
                rise ->
                    new Noted.Rise(rise.offset() + now.steadyMs(), now.steadyMs() - rise.seenMs()))
            .toList(),
        behindSinceMs.stream().map(sinceMs -> now.steadyMs() - sinceMs).findFirst());
  }
}
