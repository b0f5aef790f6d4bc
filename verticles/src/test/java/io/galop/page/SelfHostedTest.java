package io.galop.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page loads nothing from elsewhere, and everything that it names is there. */
class SelfHostedTest {
  private static final Pattern ADDRESS =
      Pattern.compile("\\b(?:https?|wss?)://[^\\s\"'<>)]*|(?:src|href|url)\\W{1,3}//[^\\s\"'<>)]+");
  private static final Pattern LOADED = Pattern.compile("(?:src|href)=\"([^\"#]+)\"");

  /** A namespace, the origin in a licence comment, and the parser's base for relative addresses. */
  private static final Set<String> HARMLESS =
      Set.of(
          "http://www.w3.org/2000/svg",
          "http://sockjs.org",
          "http://localhost",
          "http://localhost:80",
          "http://localhost/");

  @Test
  void namesNoOtherServer() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path file : Webroot.files()) {
      if (!file.getFileName().toString().startsWith("LICENSE")) {
        found.addAll(addressesIn(file));
      }
    }
    assertEquals(List.of(), found);
  }

  private static List<String> addressesIn(Path file) throws IOException {
    List<String> found = new ArrayList<>();
    Matcher matcher = ADDRESS.matcher(Files.readString(file));
    while (matcher.find()) {
      if (!HARMLESS.contains(matcher.group())) {
        found.add(file + ": " + matcher.group());
      }
    }
    return found;
  }

  @Test
  void loadsExactlyTheFilesThatAreThere() throws IOException {
    Set<String> loaded = new TreeSet<>();
    Matcher matcher = LOADED.matcher(Files.readString(Webroot.DIRECTORY.resolve("index.html")));
    while (matcher.find()) {
      loaded.add(matcher.group(1));
    }
    Set<String> there = new TreeSet<>();
    for (Path file : Webroot.files()) {
      there.add(Webroot.DIRECTORY.relativize(file).toString());
    }
    assertTrue(there.remove("index.html"));
    assertTrue(there.remove("vendor/LICENSE-sockjs-client.txt"), "the licence is missing");
    assertEquals(there, loaded);
  }
}
