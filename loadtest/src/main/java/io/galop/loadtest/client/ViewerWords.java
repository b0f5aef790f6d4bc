package io.galop.loadtest.client;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a viewer says to see the messages. */
final class ViewerWords {
  private ViewerWords() {}

  /** One message per filter, as a websocket's text frame. */
  static List<String> registerPlain(List<String> filters) {
    return filters.stream()
        .map(filter -> "{\"type\":\"register\",\"address\":\"" + filter + "\"}")
        .toList();
  }

  /** All in one SockJS array. */
  static String registerInArray(List<String> filters) {
    return registerPlain(filters).stream()
        .map(message -> '"' + message.replace("\"", "\\\"") + '"')
        .collect(Collectors.joining(",", "[", "]"));
  }

  static String request(String method, String path, String host, @Nullable String body) {
    String start = method + " " + path + " HTTP/1.1\r\nHost: " + host + "\r\n";
    return body == null
        ? start + (method.equals("POST") ? "Content-Length: 0\r\n\r\n" : "\r\n")
        : start
            + "Content-Type: text/plain\r\nContent-Length: "
            + body.length()
            + "\r\n\r\n"
            + body;
  }
}
