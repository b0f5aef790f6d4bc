package io.galop.ingest.tcp;

/** What one read of a connection brings in. On its event loop. */
final class TcpPart {
  /** What is refused of it while it is read, and afterwards. */
  final TcpAnswers.Untold refused;

  int lines;
  boolean asked;

  /** What its records count for, until they are settled. */
  long bytes;

  boolean done;

  TcpPart(TcpAnswers.Untold refused) {
    this.refused = refused;
  }
}
