package io.galop.ingest.presence;

import io.galop.presence.Vacancy;
import java.nio.charset.StandardCharsets;

/** How many viewers a filter has, and what of that is said. For one event loop. */
final class PresenceState {
  private static final String UNSAID = "";

  private Vacancy vacancy;
  private String now = UNSAID;
  private String said = UNSAID;
  private String onTheWay = UNSAID;

  PresenceState(long nowNanos) {
    this.vacancy = Vacancy.unknown(nowNanos);
  }

  /**
   * So many viewers were counted. Where some are not counted, a vacated filter stays so: nobody
   * knows of a viewer that came.
   *
   * @param isPartial whether there may be viewers that are not counted
   */
  void count(long viewers, boolean isPartial, long nowNanos, long vacatedAfterNanos) {
    boolean isInDoubt = viewers == 0 && isPartial;
    if (!isInDoubt || !vacancy.isVacant()) {
      vacancy = vacancy.next(viewers, isPartial, nowNanos, vacatedAfterNanos);
    }
    now =
        "{\"viewers\":%d,\"occupied\":%b,\"partial\":%b}"
            .formatted(viewers, !vacancy.isVacant(), isPartial);
  }

  /** Whether something else is so than was said, and nothing is on the way. */
  boolean isToBeSaid() {
    return onTheWay.equals(UNSAID) && !now.equals(said);
  }

  /** What is to be said, as the data of a record; on the way until it is {@link #settled}. */
  byte[] say() {
    onTheWay = now;
    said = now;
    return now.getBytes(StandardCharsets.UTF_8);
  }

  /** It was stored, or was not. */
  void settled(boolean isStored) {
    onTheWay = UNSAID;
    if (!isStored) {
      said = UNSAID;
    }
  }

  /**
   * The cluster has changed: others may have said something else.
   *
   * @param isMine whether this node says it from now on
   */
  void others(boolean isMine, long nowNanos) {
    said = UNSAID;
    if (!isMine) {
      vacancy = Vacancy.unknown(nowNanos);
      now = UNSAID;
    }
  }
}
