package io.galop;

import ch.qos.logback.classic.pattern.ThrowableProxyConverter;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.StackTraceElementProxy;

/**
 * An exception in the log. One that our own code is on the way to may be a fault of it, and has its
 * stack trace; one of a library alone, which reads what strangers send, is a line. Its text is
 * somebody else's: it cannot begin a line, nor move the cursor of who reads it.
 */
public final class ThrownInLog extends ThrowableProxyConverter {
  private static final String OURS = "io.galop.";
  private static final int MOST_FRAMES = 60;
  private static final int MOST_CAUSES = 8;
  private static final int MOST_CHARACTERS = 1_000;

  @Override
  protected String throwableProxyToString(IThrowableProxy thrown) {
    StringBuilder text = new StringBuilder();
    boolean isOurs = isOurs(thrown);
    int causes = 0;
    for (IThrowableProxy one = thrown; one != null && causes < MOST_CAUSES; one = one.getCause()) {
      text.append(causes++ == 0 ? "  " : isOurs ? "Caused by: " : ", caused by ");
      text.append(one.getClassName());
      if (one.getMessage() != null) {
        text.append(": ").append(clean(one.getMessage()));
      }
      frames(one, isOurs, text);
    }
    return isOurs ? text.toString() : text.append('\n').toString();
  }

  private static void frames(IThrowableProxy thrown, boolean isOurs, StringBuilder text) {
    StackTraceElementProxy[] frames = thrown.getStackTraceElementProxyArray();
    if (!isOurs) {
      if (thrown.getCause() == null && frames.length > 0) {
        text.append(" (").append(frames[0].getSTEAsString()).append(')');
      }
      return;
    }
    text.append('\n');
    int most = Math.min(frames.length - thrown.getCommonFrames(), MOST_FRAMES);
    for (int i = 0; i < most; i++) {
      text.append("\tat ").append(frames[i].getStackTraceElement()).append('\n');
    }
  }

  private static boolean isOurs(IThrowableProxy thrown) {
    for (IThrowableProxy one = thrown; one != null; one = one.getCause()) {
      for (StackTraceElementProxy frame : one.getStackTraceElementProxyArray()) {
        if (isOurs(frame.getStackTraceElement().getClassName())) {
          return true;
        }
      }
    }
    return false;
  }

  /** What only hands on the bytes of a connection is on the way to every reader. */
  private static boolean isOurs(String name) {
    return name.startsWith(OURS)
        && !name.startsWith(OURS + "socket.")
        && !name.startsWith(OURS + "HeadWatch")
        && !name.startsWith(OURS + "ingest.mqtt.MqttPackets");
  }

  private static String clean(String message) {
    int length = Math.min(message.length(), MOST_CHARACTERS);
    StringBuilder clean = new StringBuilder(length);
    for (int i = 0; i < length; i++) {
      char c = message.charAt(i);
      clean.append(Character.isISOControl(c) || isLineEnd(c) ? ' ' : c);
    }
    return clean.append(length < message.length() ? "…" : "").toString();
  }

  private static boolean isLineEnd(char c) {
    return c == '\u2028' || c == '\u2029';
  }
}
