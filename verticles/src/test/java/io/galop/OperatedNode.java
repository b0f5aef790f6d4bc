package io.galop;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.cli.certificates.TrialAuthority;
import io.galop.config.ConfigLoader;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A node with a script and with operators: anna acts, bert looks, carl looks by a hash in a file.
 * The token of each is {@code of-NAME}.
 */
public final class OperatedNode implements AutoCloseable {
  /** Of anna, as a header. */
  public static final String OPERATOR = "Bearer of-anna";

  /** Of anna, as a browser shows it. */
  public static final String ANNA = basic("anna", "of-anna");

  /** Of bert. */
  public static final String VIEWER = "Bearer of-bert";

  /** What the node's script is at first. */
  public static final String SCRIPT = "function enrich(record) { return record; }\n";

  private static final long PATIENCE_SECONDS = 60;

  private final Path directory;
  private final GalopNode node;
  private final HttpClient http = HttpClient.newHttpClient();

  private OperatedNode(Path directory, GalopNode node) {
    this.directory = directory;
    this.node = node;
  }

  /** Starts it with its files in a directory. */
  public static OperatedNode start(Path directory, String... more) throws IOException {
    Files.writeString(directory.resolve("carl.sha256"), sha256("of-carl") + "\n");
    List<String> all = new ArrayList<>(List.of(more));
    all.add(
        "management.operators=[{name: anna, role: operator, tokenHash: '%s'}, {name: bert, role:"
                .formatted(sha256("of-anna"))
            + " viewer, tokenHash: '%s'}, {name: carl, role: viewer, tokenHashFile: '%s'}]"
                .formatted(sha256("of-bert"), directory.resolve("carl.sha256")));
    OperatedNode node = open(directory, all.toArray(String[]::new));
    node.await("the node is ready", () -> node.get("/health/ready", "").statusCode() == 200);
    return node;
  }

  /** The same without operators. */
  public static OperatedNode open(Path directory, String... more) throws IOException {
    Files.writeString(directory.resolve("same.js"), SCRIPT);
    List<String> sets = new ArrayList<>(List.of("node.dataDir=" + directory.resolve("data")));
    for (String part :
        List.of("http", "management", "ingest.tcp", "ingest.mqtt", "ingest.bridge")) {
      sets.add(part + ".port=0");
    }
    sets.add("enrich.directory=" + directory);
    sets.add("enrich.chain=[{script: {file: same.js, watchMs: 100, shadow: {seconds: 0}}}]");
    sets.addAll(List.of(more));
    GalopNode node = GalopNode.start(ConfigLoader.load(Optional.empty(), Map.of(), sets, Map.of()));
    return new OperatedNode(directory, node);
  }

  /** The same with TLS on its management port, where clients may show certificates. */
  static OperatedNode secured(Path directory, TrialAuthority keys, String operators)
      throws IOException {
    String tls = "management.tls.";
    return open(
        directory,
        tls + "certificate=" + keys.file("server.crt"),
        tls + "key=" + keys.file("server.key"),
        tls + "clientCa=" + keys.file("ca.crt"),
        tls + "clientCertificate=optional",
        operators);
  }

  /** The address of its management port by TLS. */
  String secure() {
    return address("management").replaceFirst(".*:", "https://localhost:");
  }

  /** A condition that may throw. */
  @FunctionalInterface
  public interface Condition {
    boolean holds() throws Exception;
  }

  /** Waits for it, and fails with what was waited for. */
  public void await(String what, Condition condition) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    try {
      while (!condition.holds()) {
        assertTrue(System.nanoTime() < end, what);
        Thread.sleep(50);
      }
    } catch (Exception e) {
      throw new AssertionError(what, e);
    }
  }

  void awaitStatus(int status, String login) {
    await("/status answers " + status, () -> get("/status", login).statusCode() == status);
  }

  JsonObject awaitAudit(String what, String action, String login) throws IOException {
    await(what, () -> audit(action).stream().anyMatch(line -> is(line, login)));
    return audit(action).stream().filter(line -> is(line, login)).findFirst().orElseThrow();
  }

  private static boolean is(JsonObject line, String login) {
    return line.getString("login").equals(login);
  }

  /** {@code host:port} of a listener. */
  public String address(String listener) {
    return node.listeners().get(listener);
  }

  private HttpRequest.Builder to(String path, String login) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://" + address("management") + path));
    return login.isEmpty() ? request : request.header("Authorization", login);
  }

  /** Empty: without a login. */
  HttpResponse<String> get(String path, String login) throws Exception {
    return http.send(to(path, login).build(), BodyHandlers.ofString());
  }

  /** The status of an answer whose body may never end. */
  int begin(String path, String login) throws Exception {
    HttpResponse<InputStream> answer =
        http.send(to(path, login).build(), BodyHandlers.ofInputStream());
    answer.body().close();
    return answer.statusCode();
  }

  HttpResponse<String> post(String path, String login, String body) throws Exception {
    HttpRequest request = to(path, login).POST(BodyPublishers.ofString(body)).build();
    return http.send(request, BodyHandlers.ofString());
  }

  /** All lines of the audit log. */
  public List<JsonObject> audit() throws IOException {
    Path log = directory.resolve("data/audit.log");
    return Files.exists(log)
        ? Files.readAllLines(log).stream().map(JsonObject::new).toList()
        : List.of();
  }

  /** Those of an action. */
  public List<JsonObject> audit(String action) throws IOException {
    return audit().stream().filter(line -> line.getString("action").equals(action)).toList();
  }

  String script() throws IOException {
    return Files.readString(directory.resolve("same.js"));
  }

  void writeScript(String text) throws IOException {
    Path whole = Files.writeString(directory.resolve("same.js.whole"), text);
    Files.move(whole, directory.resolve("same.js"), StandardCopyOption.REPLACE_EXISTING);
  }

  void writeHash(String hash) throws IOException {
    Files.writeString(directory.resolve("carl.sha256"), hash);
  }

  static String deployment(String source) {
    return new JsonObject().put("file", "same.js").put("source", source).encode();
  }

  static String basic(String name, String token) {
    byte[] both = (name + ":" + token).getBytes(StandardCharsets.UTF_8);
    return "Basic " + Base64.getEncoder().encodeToString(both);
  }

  static String sha256(String text) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash);
    } catch (java.security.NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    node.close();
  }
}
