package io.galop.persist.sink;

import io.galop.persist.log.file.LogPosition;

/**
 * Notices by a store's cursor that the Log was set back. A cursor is only ever sent to the store
 * when all before it has been read, so one beyond everything that earlier runs can have sent and
 * this run has read stems from a Log that is no more. Where the Log ends now says nothing: it may
 * have grown past that cursor before the store was asked. Lives on the sink's thread.
 */
final class SetBack {
  private LogPosition mostRead;

  /**
   * What the store said of the Log that is no more; until another is kept there it will say so
   * again.
   */
  private LogPosition lost = LogPosition.START;

  /**
   * @param limit how far the store can be after all earlier runs
   */
  SetBack(LogPosition limit) {
    this.mostRead = limit;
  }

  /** The Log was read up to there. */
  void onRead(LogPosition end) {
    mostRead = end.compareTo(mostRead) > 0 ? end : mostRead;
  }

  /**
   * Whether a store's cursor stems from a Log that is no more.
   *
   * @param stored up to where this run knows everything to be stored
   */
  boolean isShownBy(LogPosition cursor, LogPosition stored) {
    if (cursor.compareTo(mostRead) > 0) {
      lost = cursor;
    }
    return cursor.equals(lost) && cursor.compareTo(stored) > 0;
  }
}
