package io.galop.broadcast.sockjs;

import io.vertx.core.http.HttpServerRequest;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The name of the function that a page wants to be called; it becomes part of a script. */
final class Callback {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.\\-]{1,128}");

  private Callback() {}

  /** The name; null if the request has none. */
  static @Nullable String of(HttpServerRequest request) {
    try {
      String name = request.getParam("c");
      return name == null ? request.getParam("callback") : name;
    } catch (IllegalArgumentException badlyEncoded) {
      return "";
    }
  }

  /** What is wrong with the name; empty if nothing is. */
  static String complaint(HttpServerRequest request) {
    String name = of(request);
    if (name == null) {
      return "\"callback\" parameter required\n";
    }
    return NAME.matcher(name).matches() ? "" : "invalid \"callback\" parameter\n";
  }
}
