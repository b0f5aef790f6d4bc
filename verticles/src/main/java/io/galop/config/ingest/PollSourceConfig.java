package io.galop.config.ingest;

import io.galop.record.TopicFilter;
import io.galop.yaml.Default;
import io.galop.yaml.Doc;
import io.galop.yaml.Range;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;

/** One system that is asked for records. */
public record PollSourceConfig(
    @Doc("Its name in metrics and logs.") String name,
    @Doc("The http or https address; keep secrets in headers.") String url,
    @Doc("The request's method.") @Default("get") Method method,
    @Doc("The body of a POST, such as a SOAP envelope.") @Default("") String body,
    @Doc("The header SOAPAction; empty: none.") @Default("") String soapAction,
    @Doc("The body's content type; empty: that of the format.") @Default("") String contentType,
    @Doc("The request's headers.") List<PollHeaderConfig> headers,
    @Doc("The answer's format.") @Default("json") Format format,
    @Doc("The path to the records, as in /races/runners; empty: the answer itself.") @Default("")
        String items,
    @Doc("An item's topic with fields in braces: race/{id}/runner/{runner.id}.") String topic,
    @Doc("An item's fields that are its data; empty: all.") @Default("[]") List<String> fields,
    @Doc("XML elements and attributes whose text is a number.") @Default("[]") List<String> numbers,
    @Doc("XML elements that are lists even if there is only one.") @Default("[]")
        List<String> lists,
    @Doc("What happens to a topic that has left the answer.") @Default("keep") OnGone onGone,
    @Doc("Pause between requests.") @Default("5000") @Range(min = 50, max = 86_400_000)
        long intervalMs,
    @Doc("Time limit of a request.") @Default("5000") @Range(min = 50, max = 3_600_000)
        long timeoutMs,
    @Doc("Longest pause after failures.") @Default("60000") @Range(min = 50, max = 86_400_000)
        long maxBackoffMs,
    @Doc("Largest answer, unpacked.") @Default("4194304") @Range(min = 1024, max = 268_435_456)
        int maxBytes,
    @Doc("Most topics.") @Default("100000") @Range(min = 1, max = 10_000_000) int maxTopics,
    @Doc(
            "Asked only while somebody watches a topic of this filter; empty: always. See "
                + "[sleeping](doors.md#poll).")
        @Default("")
        String whileWatched,
    @Doc("How long nobody must watch until the source sleeps.")
        @Default("10000")
        @Range(min = 1000, max = 86_400_000)
        long sleepAfterMs,
    @Doc("Which server is trusted.") PollTlsConfig tls) {

  private static final int MOST_FILTER_BYTES = 4_096;

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
    checkFilter(whileWatched);
    require(maxBackoffMs >= intervalMs, "maxBackoffMs must not be below intervalMs, " + intervalMs);
    boolean xml = format == Format.XML;
    require(xml || numbers.isEmpty(), "numbers must be empty where format is not xml");
    require(xml || lists.isEmpty(), "lists must be empty where format is not xml");
  }

  private static void checkFilter(String whileWatched) {
    try {
      if (!whileWatched.isEmpty()) {
        TopicFilter.parse(whileWatched, MOST_FILTER_BYTES);
      }
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "whileWatched must be a topic filter, " + e.getMessage(), e);
    }
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
