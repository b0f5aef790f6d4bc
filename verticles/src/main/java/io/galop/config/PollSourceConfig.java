package io.galop.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;

/** One system that is asked for records. */
public record PollSourceConfig(
    @Doc("What it is called in metrics and logs; it decides which node asks.") String name,
    @Doc("What is asked for, over http or https. Keep secrets in headers: it is printed.")
        String url,
    @Doc("The method of the request.") @Default("get") Method method,
    @Doc("What is sent with a POST, such as a SOAP envelope.") @Default("") String body,
    @Doc("The header SOAPAction of a request in SOAP 1.1; empty: none.") @Default("")
        String soapAction,
    @Doc("The content type of body; empty: application/json, or text/xml where format is xml.")
        @Default("")
        String contentType,
    @Doc("Headers of the request.") List<PollHeaderConfig> headers,
    @Doc("What the answer is.") @Default("json") Format format,
    @Doc(
            "Where the records are in the answer: the names that lead there, as in"
                + " /races/runners; lists on the way are gone through. Empty: the answer itself.")
        @Default("")
        String items,
    @Doc("The topic of an item: fields in braces, as in race/{id}/runner/{runner.id}.")
        String topic,
    @Doc("Which fields of an item are its data; empty: all.") @Default("[]") List<String> fields,
    @Doc("Names of XML elements and attributes whose text is a number.") @Default("[]")
        List<String> numbers,
    @Doc("Names of XML elements that are lists also where there is only one.") @Default("[]")
        List<String> lists,
    @Doc("What becomes of a topic that is in the answer no more.") @Default("keep") OnGone onGone,
    @Doc("From the end of one request to the next.")
        @Default("5000")
        @Range(min = 50, max = 86_400_000)
        long intervalMs,
    @Doc("How long a request may take in all.") @Default("5000") @Range(min = 50, max = 3_600_000)
        long timeoutMs,
    @Doc("The longest pause after failures, which double it.")
        @Default("60000")
        @Range(min = 50, max = 86_400_000)
        long maxBackoffMs,
    @Doc("The largest answer, unpacked.") @Default("4194304") @Range(min = 1024, max = 268_435_456)
        int maxBytes,
    @Doc("How many topics are remembered, to know what has changed; further ones are not taken.")
        @Default("100000")
        @Range(min = 1, max = 10_000_000)
        int maxTopics,
    @Doc("Which server is believed.") PollTlsConfig tls) {

  /** The method of a request. */
  public enum Method {
    GET,
    POST
  }

  /** What an answer is. */
  public enum Format {
    JSON,
    XML
  }

  /** What becomes of a topic that is in the answer no more. */
  public enum OnGone {
    /** Nothing: its last record stands. */
    KEEP,
    /** It gets a record {@code {"gone":true}}. */
    RECORD
  }

  public PollSourceConfig {
    headers = List.copyOf(headers);
    fields = List.copyOf(fields);
    numbers = List.copyOf(numbers);
    lists = List.copyOf(lists);
    require(
        name.matches("[A-Za-z0-9._-]{1,64}"),
        "name must be 1 to 64 letters, digits, '.', '_' or '-'");
    checkUrl(url);
    require(body.isEmpty() || method == Method.POST, "body must be empty where method is not post");
    require(
        items.matches("(/[^/]+)*"),
        "items must be empty or names that each follow a '/', such as /races");
    require(
        topic.replaceAll("\\{[^{}/]+}", "x").matches("[^{}]+"),
        "topic must be a name with fields in braces, such as race/{id}");
    require(maxBackoffMs >= intervalMs, "maxBackoffMs must not be below intervalMs, " + intervalMs);
    boolean xml = format == Format.XML;
    require(xml || numbers.isEmpty(), "numbers must be empty where format is not xml");
    require(xml || lists.isEmpty(), "lists must be empty where format is not xml");
  }

  private static void checkUrl(String url) {
    try {
      URI uri = new URI(url);
      boolean http = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
      require(
          http && uri.getHost() != null,
          "url must begin with http:// or https:// and name a host, not '" + url + "'");
      require(
          uri.getUserInfo() == null,
          "url must not hold a user or password; send a header Authorization");
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException("url must be one: " + e.getReason(), e);
    }
  }

  private static void require(boolean holds, String rule) {
    if (!holds) {
      throw new IllegalArgumentException(rule);
    }
  }
}
