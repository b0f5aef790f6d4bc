package io.galop.ingest.tcp;

import io.galop.ingest.parse.RecordSink;
import io.galop.record.Rejection;
import io.vertx.core.buffer.Buffer;
import java.util.List;

/** One of the two languages of the tcp door, for one connection. */
public interface TcpWire {
  /** A rejection and which of all lines of the connection it is about. */
  record Refused(long line, Rejection rejection) {}

  /**
   * Reads what has come in.
   *
   * @return how many lines were read; they are numbered from 1 for the sink
   * @throws TcpFailure if the connection cannot go on; {@link TcpFailure#lines()} were read before
   */
  int take(byte[] bytes, RecordSink sink) throws TcpFailure;

  /** Reads what is left when the sender has ended; how many lines that was. */
  int end(RecordSink sink);

  /**
   * Whether what was read last had something without a line that waits for an answer all the same.
   */
  boolean isAsked();

  /** Whether something has been begun to be sent that is not whole. */
  boolean isHalf();

  /** How many bytes are held of it. */
  int heldBytes();

  /**
   * What tells the sender how far its lines are done with.
   *
   * @param error why the connection ends; empty if it goes on
   * @param retryAfterMs when to send again what was over the sender's quota; 0 if nothing was
   */
  Buffer acknowledgement(long acked, List<Refused> refused, String error, long retryAfterMs);
}
