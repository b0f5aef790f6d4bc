package io.galop;

import static io.galop.kubernetes.Manifests.at;
import static io.galop.kubernetes.Manifests.each;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.galop.cli.certificates.TrialAuthority;
import io.galop.config.ConfigLoader;
import io.galop.config.GalopConfig;
import io.galop.config.Listener;
import io.galop.config.Role;
import io.galop.kubernetes.Manifests;
import io.galop.ops.access.RouteAccess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The manifests of {@code deploy/kubernetes} fit the product and its image. */
class KubernetesTest {
  /** {@code GalopNode.close}: what it gives browsers beyond their time. */
  private static final int DRAIN_GRACE_SECONDS = 5;

  private static final Pattern FILE = Pattern.compile("/etc/galop/[\\w./-]+");
  private static final String HASH = "a".repeat(64);

  @TempDir static Path directory;
  private final Manifests manifests = Manifests.read();
  private final Map<String, JsonObject> workloads =
      Map.of(
          "galop-storing", manifests.get("StatefulSet", "galop-storing"),
          "galop-viewing", manifests.get("Deployment", "galop-viewing"));

  /** What the secrets hold that the operator makes; certificates take long. */
  @BeforeAll
  static void makeSecrets() throws Exception {
    Path nodes = Files.createDirectories(directory.resolve("nodes"));
    Files.writeString(nodes.resolve("cluster-secret"), "0123456789abcdef0123456789abcdef");
    Files.writeString(nodes.resolve("token"), "fedcba9876543210fedcba9876543210");
    Files.writeString(nodes.resolve("operator-hash"), HASH);
    Files.writeString(nodes.resolve("prometheus-hash"), HASH.replace('a', 'b'));
    TrialAuthority.in(directory.resolve("tls"))
        .sign(new TrialAuthority.Wanted("tls", "galop", List.of("galop-viewers"), 0, 2));
  }

  private static JsonObject pod(JsonObject workload) {
    return at(workload, "spec", "template", "spec");
  }

  private static JsonObject container(JsonObject workload) {
    List<JsonObject> all = each(pod(workload), "containers");
    assertEquals(1, all.size());
    return all.get(0);
  }

  private String yaml(String name) {
    return at(manifests.get("ConfigMap", name), "data").get("galop.yaml").getAsString();
  }

  /** The configuration as a pod of the workload has it, with the secrets of the test. */
  private GalopConfig config(String name) throws Exception {
    Map<String, String> environment = new HashMap<>();
    for (JsonObject variable : each(container(workloads.get(name)), "env")) {
      String field = at(variable, "valueFrom", "fieldRef").get("fieldPath").getAsString();
      Map<String, String> fields = Map.of("metadata.name", name + "-0", "status.podIP", "10.1.2.3");
      environment.put(variable.get("name").getAsString(), fields.get(field));
    }
    Path file = directory.resolve(name + ".yaml");
    Files.writeString(file, yaml(name).replace("/etc/galop/", directory + "/"));
    return ConfigLoader.load(Optional.of(file), environment, List.of(), Map.of());
  }

  @Test
  void galopAcceptsTheConfigurations() throws Exception {
    GalopConfig storing = config("galop-storing");
    GalopConfig viewing = config("galop-viewing");
    assertEquals(List.of(), FileChecks.problems(storing));
    assertEquals(List.of(), FileChecks.problems(viewing));
    assertEquals(List.of(Role.INGEST, Role.ENRICH, Role.PERSIST), storing.roles());
    assertEquals(List.of(Role.BROADCAST), viewing.roles());
    assertEquals("galop-storing-0", storing.node().name());
    assertEquals("10.1.2.3", viewing.cluster().host());
  }

  @Test
  void aPodHasTheFilesThatItsConfigurationNames() {
    workloads.forEach(
        (name, workload) -> {
          Set<String> there = mounted(workload);
          Set<String> named =
              FILE.matcher(yaml(name))
                  .results()
                  .map(MatchResult::group)
                  .collect(Collectors.toSet());
          assertTrue(there.containsAll(named), name + ": " + there + " lacks one of " + named);
          String config = container(workload).getAsJsonArray("args").get(2).getAsString();
          assertTrue(there.contains(config), name + ": " + there + " lacks " + config);
        });
  }

  /** The files below the mounts; a secret that is given whole has those of the document. */
  private Set<String> mounted(JsonObject workload) {
    Map<String, Set<String>> keys = new TreeMap<>();
    keys.put("galop-nodes", documented("galop-nodes"));
    keys.put("galop-tls", Set.of("tls.crt", "tls.key"));
    Map<String, Set<String>> volumes = new TreeMap<>();
    for (JsonObject volume : each(pod(workload), "volumes")) {
      Set<String> files = new TreeSet<>();
      if (volume.has("secret")) {
        JsonObject secret = volume.getAsJsonObject("secret");
        files.addAll(keys.get(secret.get("secretName").getAsString()));
        if (secret.has("items")) {
          files.retainAll(
              each(secret, "items").stream().map(one -> one.get("path").getAsString()).toList());
        }
      } else if (volume.has("configMap")) {
        String name = at(volume, "configMap").get("name").getAsString();
        files.addAll(at(manifests.get("ConfigMap", name), "data").keySet());
      }
      volumes.put(volume.get("name").getAsString(), files);
    }
    return each(container(workload), "volumeMounts").stream()
        .flatMap(
            mount ->
                volumes.getOrDefault(mount.get("name").getAsString(), Set.of()).stream()
                    .map(file -> mount.get("mountPath").getAsString() + '/' + file))
        .collect(Collectors.toSet());
  }

  /** The keys of a secret that the commands of the document make. */
  private static Set<String> documented(String secret) {
    try {
      String text = Files.readString(Path.of("..", "docs/nodes.md"));
      Matcher command =
          Pattern.compile("create secret generic " + secret + "((?:\\\\\\n|.)*)").matcher(text);
      assertTrue(command.find(), "the document does not make " + secret);
      return Pattern.compile("--from-file=(\\S+)")
          .matcher(command.group(1))
          .results()
          .map(file -> file.group(1))
          .collect(Collectors.toSet());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @CsvSource({"galop-storing", "galop-viewing"})
  void aPodNamesThePortsThatItsNodeOpens(String name) throws Exception {
    Map<String, Integer> named = new TreeMap<>();
    each(container(workloads.get(name)), "ports")
        .forEach(
            port ->
                named.put(port.get("name").getAsString(), port.get("containerPort").getAsInt()));
    Map<String, Integer> opened = new TreeMap<>();
    Listener.of(config(name)).forEach(one -> opened.put(one.name(), one.port()));
    assertEquals(opened, named);
  }

  @ParameterizedTest
  @CsvSource({
    "galop-storing, readinessProbe, /health/ready",
    "galop-storing, livenessProbe, /health/live",
    "galop-storing, startupProbe, /health/live",
    "galop-viewing, readinessProbe, /health/ready/view",
    "galop-viewing, livenessProbe, /health/live",
    "galop-viewing, startupProbe, /health/live"
  })
  void probesAskWhatIsOpenToAll(String name, String probe, String path) throws Exception {
    JsonObject get = at(container(workloads.get(name)), probe, "httpGet");
    assertEquals(path, get.get("path").getAsString());
    assertEquals(Listener.MANAGEMENT, get.get("port").getAsString());
    assertEquals("HTTPS", get.get("scheme").getAsString());
    assertTrue(Listener.of(config(name), Listener.MANAGEMENT).tls().isGiven());
    assertTrue(
        RouteAccess.all().stream()
            .anyMatch(one -> one.path().equals(path) && one.access() == RouteAccess.Access.OPEN));
  }

  @ParameterizedTest
  @CsvSource({"galop-storing", "galop-viewing"})
  void aPodIsGivenMoreTimeToStopThanItTakes(String name) throws Exception {
    GalopConfig config = config(name);
    long longest = 2 * config.node().shutdownTimeoutMs() / 1000;
    if (config.runs(Role.BROADCAST)) {
      longest += config.broadcast().drainWaitSeconds() + config.broadcast().drainSeconds();
    }
    longest += DRAIN_GRACE_SECONDS;
    JsonObject container = container(workloads.get(name));
    if (container.has("lifecycle")) {
      JsonElement command = at(container, "lifecycle", "preStop", "exec").get("command");
      assertEquals("sleep", command.getAsJsonArray().get(0).getAsString());
      longest += command.getAsJsonArray().get(1).getAsInt();
    }
    long given = pod(workloads.get(name)).get("terminationGracePeriodSeconds").getAsLong();
    assertTrue(given > longest, given + " s for " + longest);
  }

  @Test
  void podsRunTheImageAsItIsMade() throws Exception {
    String image = Files.readString(Path.of("..", "docker/Dockerfile"));
    assertTrue(image.contains("-jar /opt/galop/galop.jar \\\"$@\\\"\", \"galop\"]"), "arguments");
    workloads.forEach(
        (name, workload) -> {
          JsonObject container = container(workload);
          assertFalse(container.has("command"), "the image's entry point starts it");
          assertEquals("run", container.getAsJsonArray("args").get(0).getAsString());
          long user = at(pod(workload), "securityContext").get("runAsUser").getAsLong();
          assertTrue(image.contains("useradd --uid " + user + " "), name + " runs as " + user);
          assertTrue(at(container, "securityContext").get("readOnlyRootFilesystem").getAsBoolean());
          Set<String> written =
              each(container, "volumeMounts").stream()
                  .filter(mount -> !mount.has("readOnly"))
                  .map(mount -> mount.get("mountPath").getAsString())
                  .collect(Collectors.toSet());
          assertEquals(Set.of("/var/lib/galop/data", "/tmp"), written, name);
          assertTrue(image.contains("VOLUME /var/lib/galop/data"));
          assertTrue(yaml(name).contains("dataDir: /var/lib/galop/data\n"));
        });
  }

  @Test
  void theLogIsOnAVolumeThatOutlivesItsPodAndIsLargeEnough() throws Exception {
    JsonObject spec = at(workloads.get("galop-storing"), "spec");
    JsonObject claim = each(spec, "volumeClaimTemplates").get(0);
    assertEquals("data", Manifests.name(claim));
    String size = at(claim, "spec", "resources", "requests").get("storage").getAsString();
    long bytes = Long.parseLong(size.replace("Gi", "")) << 30;
    assertTrue(bytes > 2 * config("galop-storing").persist().log().quotaBytes(), size);
    JsonObject kept = at(spec, "persistentVolumeClaimRetentionPolicy");
    assertEquals("Retain", kept.get("whenDeleted").getAsString());
    assertEquals("Retain", kept.get("whenScaled").getAsString());
  }

  @Test
  void servicesPoliciesAndBudgetsMeanPortsAndPodsThatAreThere() {
    for (JsonObject service : manifests.ofKind("Service")) {
      List<JsonObject> chosen = chosen(at(service, "spec", "selector"));
      for (JsonObject port : each(at(service, "spec"), "ports")) {
        chosen.forEach(pod -> assertPort(pod, port.get("targetPort"), service));
      }
    }
    for (JsonObject policy : manifests.ofKind("NetworkPolicy")) {
      List<JsonObject> chosen = chosen(at(policy, "spec", "podSelector", "matchLabels"));
      for (JsonObject rule : each(at(policy, "spec"), "ingress")) {
        each(rule, "ports")
            .forEach(port -> chosen.forEach(pod -> assertPort(pod, port.get("port"), policy)));
      }
    }
    for (JsonObject budget : manifests.ofKind("PodDisruptionBudget")) {
      assertEquals(1, chosen(at(budget, "spec", "selector", "matchLabels")).size());
      assertEquals(1, at(budget, "spec").get("maxUnavailable").getAsInt());
    }
    JsonObject members = at(manifests.get("Service", "galop-members"), "spec");
    assertEquals("None", members.get("clusterIP").getAsString());
    assertTrue(members.get("publishNotReadyAddresses").getAsBoolean());
    assertEquals(2, chosen(at(members, "selector")).size(), "every node finds every other");
    assertTrue(yaml("galop-storing").contains("members: [galop-members]"));
    assertTrue(yaml("galop-viewing").contains("members: [galop-members]"));
  }

  private List<JsonObject> chosen(JsonObject labels) {
    List<JsonObject> chosen =
        workloads.values().stream()
            .filter(
                one ->
                    at(one, "spec", "template", "metadata", "labels")
                        .entrySet()
                        .containsAll(labels.entrySet()))
            .toList();
    assertFalse(chosen.isEmpty(), "no pod has " + labels);
    return chosen;
  }

  private static void assertPort(JsonObject workload, JsonElement port, JsonObject by) {
    assertTrue(
        each(container(workload), "ports").stream().anyMatch(one -> one.get("name").equals(port)),
        Manifests.name(by) + " names the port " + port + " of " + Manifests.name(workload));
  }
}
