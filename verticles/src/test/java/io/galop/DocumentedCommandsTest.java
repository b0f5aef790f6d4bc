package io.galop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.ConfigLoader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What README and docs/operations.md say to a running node with curl is said to one. */
@Timeout(180)
class DocumentedCommandsTest {
  private static final int LINES = 300;
  private static final Pattern PUBLISH = Pattern.compile("(?m)^\\| `(curl .*?)` \\|");
  private static final Pattern SPLIT = Pattern.compile("(split -C .*\\\\\\n.*)");
  private static final Pattern DRAIN = Pattern.compile("`(curl -X POST\\s+\\S+/drain)`");
  private static final Pattern TOKEN = Pattern.compile("```sh\\n(openssl rand[^`]*)```");
  private static final Pattern OPERATORS =
      Pattern.compile("```yaml\\n(management:\\n[^`]*operators:[^`]*)```");
  private static final Pattern ACCEPTED = Pattern.compile("\"accepted\":(\\d+),\"rejected\":\\[]");
  @TempDir Path directory;

  @Test
  void commandsDoWhatTheDocumentsSay() throws Exception {
    try (GalopNode node = start()) {
      assertEquals(List.of(1), accepted(run(documented("README.md", PUBLISH), node)));
      Files.writeString(directory.resolve("records.ndjson"), lines());
      String inPieces = documented("docs/operations.md", SPLIT).replace("-C 4000000", "-C 4000");
      List<Integer> pieces = accepted(run(inPieces, node));
      assertTrue(pieces.size() > 1, "" + pieces);
      assertEquals(LINES, pieces.stream().mapToInt(Integer::intValue).sum());
      run(documented("docs/operations.md", DRAIN), node);
      assertTrue(
          run("curl -s -w %{http_code} http://127.0.0.1:9090/health/ready", node).endsWith("503"));
    }
  }

  @Test
  void theTokenOfAnOperatorIsMadeAsTheDocumentSays() throws Exception {
    shell(documented("docs/operations.md", TOKEN));
    String anna = "management.operators=[{name: anna, role: viewer, tokenHashFile: '%s'}]";
    try (OperatedNode node =
        OperatedNode.open(directory, anna.formatted(directory.resolve("anna.sha256")))) {
      String token = Files.readString(directory.resolve("anna.token")).strip();
      assertEquals(64, token.length());
      assertEquals(200, node.get("/status", "Bearer " + token).statusCode());
      assertEquals(200, node.get("/status", OperatedNode.basic("anna", token)).statusCode());
      assertEquals(401, node.get("/status", "").statusCode());
    }
    String yaml = documented("docs/operations.md", OPERATORS);
    assertEquals(3, ConfigLoader.parse(yaml, "galop.yaml").management().operators().size());
  }

  private GalopNode start() {
    List<String> sets = new ArrayList<>(List.of("node.dataDir=" + directory.resolve("data")));
    for (String port :
        List.of("http", "management", "ingest.tcp", "ingest.mqtt", "ingest.bridge")) {
      sets.add(port + ".port=0");
    }
    return GalopNode.start(ConfigLoader.load(Optional.empty(), Map.of(), sets, Map.of()));
  }

  private static String lines() {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < LINES; i++) {
      lines.append("{\"topic\":\"race/").append(i).append("\",\"data\":{\"n\":1}}\n");
    }
    return lines.toString();
  }

  private static String documented(String file, Pattern command) throws IOException {
    Matcher found = command.matcher(Files.readString(Path.of("..", file)));
    assertTrue(found.find(), file + " has no " + command);
    return found.group(1);
  }

  private String run(String command, GalopNode node) throws Exception {
    String here =
        command
            .replace("127.0.0.1:8080", node.listeners().get("http"))
            .replace("127.0.0.1:9090", node.listeners().get("management"));
    return shell(here);
  }

  private String shell(String here) throws Exception {
    Process shell =
        new ProcessBuilder("bash", "-c", here)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .start();
    String printed = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, shell.waitFor(), here + ": " + printed);
    return printed;
  }

  private static List<Integer> accepted(String printed) {
    List<Integer> counts = new ArrayList<>();
    for (MatchResult answer : ACCEPTED.matcher(printed).results().toList()) {
      counts.add(Integer.parseInt(answer.group(1)));
    }
    assertTrue(!counts.isEmpty(), printed);
    return counts;
  }
}
