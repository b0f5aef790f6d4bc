package io.galop.docker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What {@code docker/} says comes up: its Dockerfile is built, its compose file's services run in
 * namespaces with the file's addresses, from the image, as its user, on empty volumes. There is no
 * engine in it and no registry. MongoDB is left out, as the file's comment says how.
 */
@Tag("alone")
@Timeout(900)
class DockerIT {
  private static final Path SCRIPTS = Path.of("src/test/docker").toAbsolutePath();
  private static final Path CHECKOUT = Path.of("..").toAbsolutePath().normalize();
  private static final Map<String, String> STORES =
      Map.of(
          "redis", "10.77.2.11",
          "mariadb", "10.77.2.12",
          "secure-1", "10.77.2.21",
          "secure-2", "10.77.2.22");

  /** On a real file system: images on one in memory would take the memory of the nodes. */
  private final Path work = CHECKOUT.resolve("verticles/target/docker");

  @AfterEach
  void clear() throws Exception {
    root("rm", "-rf", work.toString());
  }

  /** Runs a command as root; its output goes to this process's. */
  private static int root(String... command) throws IOException, InterruptedException {
    List<String> all = new ArrayList<>();
    if (!System.getProperty("user.name").equals("root")) {
      all.addAll(List.of("sudo", "-n", "--"));
    }
    all.addAll(List.of(command));
    Process process = new ProcessBuilder(all).inheritIO().start();
    try {
      if (!process.waitFor(600, TimeUnit.SECONDS)) {
        throw new AssertionError("not done within ten minutes: " + all);
      }
      return process.exitValue();
    } finally {
      process.destroy();
    }
  }

  @Test
  void comesUpAsItsFirstLinesSayAndCarriesRecordsToTheScreenAndTheStores() throws Exception {
    clear();
    Files.createDirectories(work.resolve("docker"));
    Path secrets = work.resolve("docker/make-secrets");
    Files.copy(CHECKOUT.resolve("docker/make-secrets"), secrets);
    assertEquals(0, root("bash", secrets.toString()), "the secrets are made");
    assertEquals(
        0,
        root(
            SCRIPTS.resolve("images").toString(),
            work.toString(),
            CHECKOUT.toString(),
            Path.of(System.getProperty("galop.jar")).toAbsolutePath().toString(),
            newestJava()),
        "the image is built; ./test installs what that needs");
    describeImage();
    describeServices();
    assertEquals(
        0,
        root(SCRIPTS.resolve("deployment").toString(), work.toString(), CHECKOUT.toString()),
        "see the lines above");
  }

  /** The image has a newer Java than the one that the tests run on. */
  private static String newestJava() throws IOException {
    TreeMap<Integer, Path> found = new TreeMap<>();
    found.put(Runtime.version().feature(), Path.of(System.getProperty("java.home")));
    Path all = Path.of("/usr/lib/jvm");
    if (Files.isDirectory(all)) {
      try (Stream<Path> homes = Files.list(all)) {
        for (Path home : homes.filter(one -> Files.exists(one.resolve("release"))).toList()) {
          found.putIfAbsent(version(Files.readString(home.resolve("release"))), home);
        }
      }
    }
    return found.lastEntry().getValue().toString();
  }

  private static int version(String release) {
    return Integer.parseInt(release.replaceFirst("(?s).*JAVA_VERSION=\"(\\d+).*", "$1"));
  }

  /** What an engine would do with the image. */
  private void describeImage() throws IOException {
    JsonObject config =
        new JsonObject(Files.readString(work.resolve("image.json")))
            .getJsonObject("Docker")
            .getJsonObject("config");
    JsonArray check = config.getJsonObject("Healthcheck").getJsonArray("Test");
    assertEquals("CMD", check.remove(0));
    JsonArray command = config.getJsonArray("Entrypoint").addAll(config.getJsonArray("Cmd"));
    Path image = Files.createDirectories(work.resolve("image"));
    Files.writeString(image.resolve("user"), config.getString("User"));
    Files.writeString(image.resolve("directory"), config.getString("WorkingDir"));
    Files.writeString(
        image.resolve("volume"), config.getJsonObject("Volumes").fieldNames().iterator().next());
    write(image.resolve("env"), texts(config.getJsonArray("Env")));
    write(image.resolve("command"), texts(command));
    write(image.resolve("healthcheck"), texts(check));
  }

  private static List<String> texts(JsonArray array) {
    return array.stream().map(Object::toString).toList();
  }

  private static void write(Path file, List<String> texts) throws IOException {
    Files.writeString(file, texts.stream().map(one -> one + "\0").collect(Collectors.joining()));
  }

  private void describeServices() throws IOException {
    String yaml = Files.readString(CHECKOUT.resolve("docker/compose.yml"));
    Compose compose = Compose.read(Compose.without(yaml, "mongo"));
    for (Map.Entry<String, Compose.Service> service : compose.services().entrySet()) {
      describe(service.getKey(), service.getValue(), compose.nodes().containsKey(service.getKey()));
    }
    Path hosts = work.resolve("hosts");
    Files.writeString(
        hosts, STORES.get("redis") + " redis\n" + STORES.get("mariadb") + " mariadb\n");
  }

  private void describe(String name, Compose.Service service, boolean isNode) throws IOException {
    Path directory = Files.createDirectories(work.resolve("services").resolve(name));
    Map<String, String> addresses = new TreeMap<>(service.addresses());
    if (STORES.containsKey(name)) {
      addresses.put("stores", STORES.get(name));
    }
    Files.writeString(
        directory.resolve("addresses"),
        addresses.entrySet().stream()
            .map(one -> one.getKey() + " " + one.getValue() + "\n")
            .collect(Collectors.joining()));
    Map<String, String> variables = new TreeMap<>(service.environment());
    if (isNode) {
      // A control group would tell Java how much memory the container has.
      String memory = "-XX:MaxRAM=" + service.bytes("mem_limit");
      variables.put("GALOP_JAVA_OPTS", memory + " -XX:+UseSerialGC -XX:TieredStopAtLevel=1");
    }
    write(
        directory.resolve("env"),
        variables.entrySet().stream().map(one -> one.getKey() + "=" + one.getValue()).toList());
    write(directory.resolve("command"), service.texts("command"));
    Files.writeString(
        directory.resolve("secrets"),
        service.texts("secrets").stream().map(one -> one + "\n").collect(Collectors.joining()));
    if (isNode) {
      Files.writeString(directory.resolve("grace"), "" + service.seconds("stop_grace_period"));
    }
    if (name.equals("haproxy")) {
      Files.writeString(directory.resolve("files"), "" + service.openFiles());
    }
  }
}
