package io.galop.kubernetes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonDeserializer;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1NetworkPolicy;
import io.kubernetes.client.openapi.models.V1PodDisruptionBudget;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1StatefulSet;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Kubernetes' own description of its objects accepts each manifest, strictly. */
class ManifestSchemaTest {
  private static final Map<String, Schema> SCHEMAS =
      Map.of(
          "v1 ConfigMap", new Schema(V1ConfigMap::validateJsonElement, V1ConfigMap.class),
          "v1 Service", new Schema(V1Service::validateJsonElement, V1Service.class),
          "apps/v1 StatefulSet",
              new Schema(V1StatefulSet::validateJsonElement, V1StatefulSet.class),
          "apps/v1 Deployment", new Schema(V1Deployment::validateJsonElement, V1Deployment.class),
          "policy/v1 PodDisruptionBudget",
              new Schema(V1PodDisruptionBudget::validateJsonElement, V1PodDisruptionBudget.class),
          "networking.k8s.io/v1 NetworkPolicy",
              new Schema(V1NetworkPolicy::validateJsonElement, V1NetworkPolicy.class));

  private static final Gson TYPES =
      new GsonBuilder()
          .registerTypeAdapter(
              OffsetDateTime.class,
              (JsonDeserializer<OffsetDateTime>)
                  (text, type, in) -> OffsetDateTime.parse(text.getAsString()))
          .create();

  /**
   * @param keys refuses keys that Kubernetes does not know, and misses those that it requires
   * @param type what the values must be
   */
  private record Schema(Keys keys, Class<?> type) {}

  @FunctionalInterface
  private interface Keys {
    void check(JsonElement manifest) throws Exception;
  }

  private static void check(JsonObject manifest) throws Exception {
    String kind =
        manifest.get("apiVersion").getAsString() + ' ' + manifest.get("kind").getAsString();
    assertTrue(SCHEMAS.containsKey(kind), "no such kind: " + kind);
    SCHEMAS.get(kind).keys.check(manifest);
    assertNotNull(TYPES.fromJson(manifest, SCHEMAS.get(kind).type));
  }

  @Test
  void everyManifestIsAccepted() throws Exception {
    List<JsonObject> all = Manifests.read().all();
    for (JsonObject manifest : all) {
      check(manifest);
    }
    assertTrue(all.size() >= 10, "" + all.size());
  }

  @Test
  void everyFileIsGivenToTheCluster() throws Exception {
    TreeSet<String> named = new TreeSet<>();
    JsonObject kustomization = Manifests.parse(Manifests.text("kustomization.yaml")).get(0);
    kustomization.getAsJsonArray("resources").forEach(file -> named.add(file.getAsString()));
    TreeSet<String> there = new TreeSet<>();
    try (Stream<Path> files = Files.list(Manifests.DIRECTORY)) {
      files.forEach(file -> there.add(file.getFileName().toString()));
    }
    there.remove("kustomization.yaml");
    assertEquals(there, named);
  }

  /** A manifest with a mistake would be taken by a lenient reader, and do nothing. */
  @ParameterizedTest
  @CsvSource({
    "storing.yaml, readinessProbe:, readynessProbe:",
    "storing.yaml, containerPort:, containerport:",
    "storing.yaml, podManagementPolicy:, podManagmentPolicy:",
    "storing.yaml, replicas: 3, replicas: three",
    "storing.yaml, accessModes:, accessMode:",
    "storing.yaml, apps/v1, apps/v1beta1",
    "viewing.yaml, terminationGracePeriodSeconds:, terminationGraceSeconds:",
    "viewing.yaml, mountPath: /tmp, path: /tmp",
    "services.yaml, publishNotReadyAddresses:, publishNotReadyAdresses:",
    "network.yaml, namespaceSelector:, namespacesSelector:",
    "config.yaml, data:, datas:"
  })
  void aMistakeIsRefused(String file, String right, String wrong) {
    String text = Manifests.text(file);
    String mistaken = text.replace(right, wrong);
    assertNotEquals(text, mistaken, "nothing was planted");
    assertThrows(
        Throwable.class,
        () -> {
          for (JsonObject manifest : Manifests.parse(mistaken)) {
            check(manifest);
          }
        });
  }
}
