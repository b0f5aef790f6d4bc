package io.galop.ops.access;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a header {@code Authorization} shows.
 *
 * @param user of HTTP Basic; empty for a bearer token
 * @param token the token
 */
record Credentials(String user, String token) {
  private static final String BEARER = "Bearer ";
  private static final String BASIC = "Basic ";

  /** How they were shown, for the audit log. */
  String how() {
    return user.isEmpty() ? "token" : "basic";
  }

  /**
   * Empty for what is neither a bearer token nor HTTP Basic with a user and a password.
   *
   * @param authorization the header
   */
  static Optional<Credentials> of(String authorization) {
    @Nullable String bearer = after(BEARER, authorization);
    if (bearer != null) {
      return bearer.isEmpty() ? Optional.empty() : Optional.of(new Credentials("", bearer));
    }
    @Nullable String basic = after(BASIC, authorization);
    return basic == null ? Optional.empty() : basic(basic);
  }

  private static @Nullable String after(String scheme, String authorization) {
    return authorization.regionMatches(true, 0, scheme, 0, scheme.length())
        ? authorization.substring(scheme.length()).strip()
        : null;
  }

  private static Optional<Credentials> basic(String encoded) {
    try {
      String both = new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
      int colon = both.indexOf(':');
      return colon < 1 || colon == both.length() - 1
          ? Optional.empty()
          : Optional.of(new Credentials(both.substring(0, colon), both.substring(colon + 1)));
    } catch (IllegalArgumentException notBase64) {
      return Optional.empty();
    }
  }

  /** Without the token: a log may show it. */
  @Override
  public String toString() {
    return how();
  }
}
