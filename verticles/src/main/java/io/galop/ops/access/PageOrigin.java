package io.galop.ops.access;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether a page asks for an act, and which. A browser adds a login of HTTP Basic or a certificate
 * to whatever a page of any site has it send, so an act is taken from the console only. What a
 * browser sends for a page says so by its headers; programs send none of them.
 *
 * @param origin the header Origin
 * @param site the header Sec-Fetch-Site
 * @param host the header Host
 * @param isTls whether the request came by TLS
 */
record PageOrigin(
    @Nullable String origin, @Nullable String site, @Nullable String host, boolean isTls) {

  /**
   * Why the act is refused; empty where it is not.
   *
   * @param mayBeConsole whether the console has acts: it has none where nobody logs in
   */
  Optional<String> refusal(boolean mayBeConsole) {
    if (origin != null && !(mayBeConsole && isOwn(origin))) {
      return Optional.of("pages may not act on a node");
    }
    if (site != null && !site.equals("same-origin") && !site.equals("none")) {
      return Optional.of("pages may not act on a node");
    }
    return Optional.empty();
  }

  /** A proxy in front may have ended TLS; nobody has added it. */
  private boolean isOwn(String named) {
    return host != null
        && (named.equalsIgnoreCase("https://" + host)
            || !isTls && named.equalsIgnoreCase("http://" + host));
  }
}
