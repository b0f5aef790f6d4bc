package io.galop.config.broadcast;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Origins of pages, RFC 6454: {@code *} for any, or {@code scheme://host[:port]} where a label of
 * the host may be {@code *}, which stands for exactly one label. A port that is the scheme's own
 * may be left out on either side.
 */
public final class OriginPattern {
  private static final String LABEL = "(?:\\*|[a-z0-9_-]+)";
  private static final Pattern FORM =
      Pattern.compile(
          "(https?)://((?:" + LABEL + "\\.)*[a-z0-9_-]+|\\[[0-9a-f:.]+])(?::(\\d{1,5}))?");

  private final boolean isAny;
  private final Pattern pattern;

  private OriginPattern(boolean isAny, Pattern pattern) {
    this.isAny = isAny;
    this.pattern = pattern;
  }

  /**
   * Reads a pattern.
   *
   * @throws IllegalArgumentException with what it must be, beginning with {@code must}
   */
  public static OriginPattern parse(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    if (!lower.equals("*") && !FORM.matcher(lower).matches()) {
      throw new IllegalArgumentException(
          "must be * or scheme://host[:port] without a path, where * may stand for one label but"
              + " the last, not '"
              + text
              + "'");
    }
    String[] literal = withoutOwnPort(lower).split("\\*", -1);
    StringBuilder regex = new StringBuilder(Pattern.quote(literal[0]));
    for (int i = 1; i < literal.length; i++) {
      regex.append("[a-z0-9_-]+").append(Pattern.quote(literal[i]));
    }
    return new OriginPattern(lower.equals("*"), Pattern.compile(regex.toString()));
  }

  /** Whether every origin is meant, also {@code null}. */
  public boolean isAny() {
    return isAny;
  }

  /** Whether an origin as a browser names it is meant. */
  public boolean matches(String origin) {
    return isAny || pattern.matcher(withoutOwnPort(origin.toLowerCase(Locale.ROOT))).matches();
  }

  /**
   * Whether a page comes from a host, as its browser names the one and a request the other. Without
   * the scheme, since a proxy that ends TLS passes on the host but not the scheme.
   */
  public static boolean isSameHost(String origin, String host) {
    String page = origin.toLowerCase(Locale.ROOT);
    int start = page.indexOf("://") + 3;
    if (start < 3) {
      return false;
    }
    String requested = page.substring(0, start) + host.toLowerCase(Locale.ROOT);
    return withoutOwnPort(page).equals(withoutOwnPort(requested));
  }

  /** An origin in lower case without the port that its scheme has anyway. */
  public static String withoutOwnPort(String origin) {
    Matcher parts = FORM.matcher(origin);
    if (!parts.matches() || parts.group(3) == null) {
      return origin;
    }
    String own = parts.group(1).equals("https") ? "443" : "80";
    return parts.group(3).equals(own) ? parts.group(1) + "://" + parts.group(2) : origin;
  }
}
