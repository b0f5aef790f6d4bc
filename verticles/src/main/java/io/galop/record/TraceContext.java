package io.galop.record;

import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The trace that a record is part of, as W3C Trace Context names it; only of traces that are
 * sampled.
 *
 * @param traceHigh the first eight bytes of the trace's id, which is never all zeros
 * @param traceLow the other eight
 * @param parentId the id of the span that the publisher sent; never 0
 * @param flags as they came, 0 to 255; bit 0 says that the trace is sampled
 */
public record TraceContext(long traceHigh, long traceLow, long parentId, int flags) {
  /** The name of its header over HTTP, and of its user property in MQTT 5. */
  public static final String HEADER = "traceparent";

  private static final HexFormat HEX = HexFormat.of();
  private static final int LENGTH = 55;
  private static final int TRACE_AT = 3;
  private static final int PARENT_AT = 36;
  private static final int FLAGS_AT = 53;
  private static final int SAMPLED = 1;

  /** Whether somebody collects the spans of it. */
  public boolean isSampled() {
    return (flags & SAMPLED) != 0;
  }

  /**
   * Whether it is one of those that are kept where of sampled traces one in so many is: the same
   * wherever it is asked, as its id alone decides, and one that is kept as one in many is kept as
   * one in fewer. So does TraceIdRatioBased of OpenTelemetry's Trace SDK; but publishers that
   * sample by that have cut by the id itself already, so here it is mixed first (SplitMix64, as in
   * {@link IdHash}).
   *
   * @param every at least 1
   */
  public boolean isOneIn(int every) {
    return Long.compareUnsigned(
            IdHash.finish(traceHigh ^ IdHash.finish(traceLow)), Long.divideUnsigned(-1, every))
        <= 0;
  }

  /** The trace's id, 32 digits. */
  public String traceId() {
    return HEX.toHexDigits(traceHigh) + HEX.toHexDigits(traceLow);
  }

  /** The id of the span that the publisher sent, 16 digits. */
  public String parentSpanId() {
    return HEX.toHexDigits(parentId);
  }

  /**
   * Reads a {@code traceparent}: {@code 00-<32 digits>-<16 digits>-<2 digits>}, digits hexadecimal
   * and in lower case. Of a later version only this beginning is read, as the standard wants.
   *
   * @return null if it is none
   */
  public static @Nullable TraceContext parse(String text) {
    if (!isFormed(text)) {
      return null;
    }
    TraceContext read =
        new TraceContext(
            HexFormat.fromHexDigitsToLong(text, TRACE_AT, TRACE_AT + 16),
            HexFormat.fromHexDigitsToLong(text, TRACE_AT + 16, PARENT_AT - 1),
            HexFormat.fromHexDigitsToLong(text, PARENT_AT, FLAGS_AT - 1),
            HexFormat.fromHexDigits(text, FLAGS_AT, LENGTH));
    return read.isNone() ? null : read;
  }

  /** Whether an id is missing: none is all zeros. */
  boolean isNone() {
    return (traceHigh | traceLow) == 0 || parentId == 0;
  }

  private static boolean isFormed(String text) {
    boolean isFirstVersion = text.startsWith("00");
    if (text.length() < LENGTH || text.startsWith("ff")) {
      return false;
    }
    if (text.length() > LENGTH && (isFirstVersion || text.charAt(LENGTH) != '-')) {
      return false;
    }
    for (int at = 0; at < LENGTH; at++) {
      char c = text.charAt(at);
      boolean isDash = at == TRACE_AT - 1 || at == PARENT_AT - 1 || at == FLAGS_AT - 1;
      boolean isDigit = c >= '0' && c <= '9' || c >= 'a' && c <= 'f';
      if (isDash ? c != '-' : !isDigit) {
        return false;
      }
    }
    return true;
  }
}
