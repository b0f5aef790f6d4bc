package io.galop.enrich.script.swap;

import io.galop.enrich.script.Script;
import io.galop.enrich.script.ScriptFailure;
import io.galop.jvm.ErrorText;
import io.galop.record.Record;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What came of a call of a script, and what it cost.
 *
 * @param records none if it failed
 * @param failure why there are none, one sentence; empty if it did not fail
 * @param byLimit whether a limit was exceeded
 * @param nanos from begin to end
 * @param cpuNanos processor time; 0 where it was not asked for
 * @param allocatedBytes memory taken, whether or not it is still in use
 */
record Outcome(
    List<Record> records,
    String failure,
    boolean byLimit,
    long nanos,
    long cpuNanos,
    long allocatedBytes) {
  private static final Logger LOG = LoggerFactory.getLogger(Outcome.class);

  /** Of a call that was not made and might have gone well. */
  static final Outcome UNKNOWN = new Outcome(List.of(), "", false, 0, 0, 0);

  /**
   * Calls a script on the thread that it belongs to.
   *
   * @param maxAllocatedBytes a call that took more memory has failed, whatever it returned
   * @param measured whether the processor time is wanted, which costs half a microsecond
   */
  static Outcome of(Script script, Record record, long maxAllocatedBytes, boolean measured) {
    long cpuBefore = measured ? Usage.cpuNanos() : 0;
    long allocatedBefore = Usage.allocatedBytes();
    long began = System.nanoTime();
    List<Record> records = List.of();
    String failure = "";
    boolean byLimit = false;
    try {
      records = script.call(record);
    } catch (ScriptFailure e) {
      failure = ErrorText.of(e);
      byLimit = e.isByLimit();
    } catch (RuntimeException | Error e) { // the thread has other records to see to
      LOG.error("a call of a script failed", e);
      byLimit = e instanceof OutOfMemoryError;
      failure = "the call broke off, the log says how: " + e.getClass().getSimpleName();
    }
    long nanos = System.nanoTime() - began;
    long allocated = Usage.allocatedBytes() - allocatedBefore;
    if (allocated > maxAllocatedBytes && (failure.isEmpty() || byLimit)) {
      failure = "it allocated " + allocated + " bytes, maxAllocatedBytes is " + maxAllocatedBytes;
      records = List.of();
      byLimit = true;
    }
    long cpu = measured ? Usage.cpuNanos() - cpuBefore : 0;
    return new Outcome(records, failure, byLimit, nanos, cpu, allocated);
  }

  /** A call that could not be made. */
  static Outcome failed(String why) {
    return new Outcome(List.of(), why, false, 0, 0, 0);
  }

  /** Whether there was a call; or else there is nothing to hold another one's against. */
  boolean wasCalled() {
    return nanos > 0;
  }

  boolean hasFailed() {
    return !failure.isEmpty();
  }
}
