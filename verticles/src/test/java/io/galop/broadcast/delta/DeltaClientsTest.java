package io.galop.broadcast.delta;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonFactory;
import io.galop.client.GalopClient;
import io.galop.json.JsonString;
import io.galop.json.TextBytes;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonObject;
import java.io.File;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The page's script, the Python client and the Java client make the same messages of what they are
 * sent.
 */
@Timeout(120)
class DeltaClientsTest {
  private static final Map<String, List<String>> READERS =
      Map.of(
          "page", List.of("node", "src/test/node/deltas.js", "../webroot/deltas.js"),
          "python", List.of("python3", "../clients/python/test/deltas.py"),
          "java", List.of(java(), "-cp", javaClassPath(), "io.galop.client.ReadDeltas"));

  private static final String[] NAMES = {"Möwe", "🐎 it's", "\\\"quoted\\\"", "漢字", "\\u2028<b>"};

  private final Random random = new Random(4711);
  private final TextDelta delta = new TextDelta();
  private final Map<String, String> rests = new HashMap<>();
  private final List<String> sent = new ArrayList<>();
  private final List<Object> expected = new ArrayList<>();

  private static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  private static String javaClassPath() {
    return Stream.of(GalopClient.class, JsonFactory.class)
        .map(of -> of.getProtectionDomain().getCodeSource().getLocation())
        .map(at -> Path.of(URI.create(at.toString())).toString())
        .collect(
            Collectors.joining(
                File.pathSeparator,
                "../clients/java/target/test-classes" + File.pathSeparator,
                ""));
  }

  private static String numbers(int filter, int topic) {
    TextBytes text = new TextBytes(8);
    DeltaDigits.write(filter, text);
    DeltaDigits.write(topic, text);
    return new String(text.toBytes(), StandardCharsets.US_ASCII);
  }

  private void record(int number) {
    int filter = random.nextInt(3) * 40;
    int topic = random.nextInt(4) * 700;
    String opening = "{\"type\":\"rec\",\"address\":\"f/" + filter + "\\\"\",\"body\":";
    String name = NAMES[random.nextInt(NAMES.length)];
    String ladder = random.nextBoolean() ? "" : ",\"atb\":[[" + random.nextDouble() + ",2.50]]";
    String rest =
        "{\"id\":\"i:"
            + number
            + "#1\",\"time\":"
            + (1617043020018000L + number * 77_000L)
            + ",\"data\":{\"name\":\""
            + name
            + "\",\"odds\":"
            + random.nextInt(900) / 100.0
            + ladder
            + "}},\"headers\":{\"topic\":\"t/"
            + topic
            + "\",\"pos\":\"3.17-"
            + number
            + "\"}}";
    String base = rests.put(filter + " " + topic, rest);
    if (base == null || random.nextInt(20) == 0) {
      sent.add(numbers(filter, topic) + opening + rest);
    } else {
      TextBytes text = new TextBytes(64);
      delta.write(utf8(base), utf8(rest), text);
      sent.add(numbers(filter, topic) + new String(text.toBytes(), StandardCharsets.UTF_8));
    }
    expected.add(opening + rest);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @ValueSource(strings = {"page", "python", "java"})
  void makeTheMessagesOfWhatTheyAreSent(String reader, @TempDir Path directory) throws Exception {
    for (int number = 0; number < 5_000; number++) {
      record(number);
      if (number % 100 == 0) {
        sent.add("{\"type\":\"pong\"}");
        expected.add("{\"type\":\"pong\"}");
      }
    }
    lose();
    List<Object> made = run(READERS.get(reader), directory);
    for (int i = 0; i < expected.size(); i++) {
      assertEquals(expected.get(i), made.get(i), sent.get(i));
    }
    assertEquals(expected.size(), made.size());
  }

  /**
   * Of a filter that is not known, of a topic that is not, and against a base of another length.
   */
  private void lose() {
    String difference = "AFC2";
    sent.add(numbers(31, 0) + difference);
    expected.add(Map.of());
    sent.add(numbers(40, 31) + difference);
    expected.add(Map.of("lost", "f/40\""));
    String opening = "{\"type\":\"rec\",\"address\":\"f/40\\\"\",\"body\":";
    sent.add(numbers(40, 31) + opening + "{}}");
    expected.add(opening + "{}}");
    sent.add(numbers(40, 31) + difference);
    expected.add(Map.of("lost", "f/40\""));
  }

  private List<Object> run(List<String> command, Path directory) throws Exception {
    Path in = directory.resolve("sent");
    Path out = directory.resolve("made");
    Files.write(in, sent.stream().map(JsonString::quoted).toList());
    Process process =
        new ProcessBuilder(command)
            .redirectInput(in.toFile())
            .redirectOutput(out.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    assertTrue(process.waitFor(60, TimeUnit.SECONDS));
    assertEquals(0, process.exitValue());
    List<Object> made = new ArrayList<>();
    for (String line : Files.readAllLines(out)) {
      Object value = Json.decodeValue(line);
      made.add(value instanceof JsonObject object ? object.getMap() : value);
    }
    return made;
  }
}
