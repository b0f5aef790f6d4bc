package io.galop.kubernetes;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** What {@code deploy/kubernetes} gives to a cluster. */
public final class Manifests {
  public static final Path DIRECTORY = Path.of("..", "deploy/kubernetes");

  private final List<JsonObject> all;

  private Manifests(List<JsonObject> all) {
    this.all = all;
  }

  /** Those that {@code kustomization.yaml} names. */
  public static Manifests read() {
    List<JsonObject> all = new ArrayList<>();
    for (JsonElement file : parse(text("kustomization.yaml")).get(0).getAsJsonArray("resources")) {
      all.addAll(parse(text(file.getAsString())));
    }
    return new Manifests(all);
  }

  /** A file of the directory. */
  public static String text(String file) {
    try {
      return Files.readString(DIRECTORY.resolve(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The documents of a file. */
  static List<JsonObject> parse(String yaml) {
    List<JsonObject> documents = new ArrayList<>();
    for (Object one : new Load(LoadSettings.builder().build()).loadAllFromString(yaml)) {
      documents.add(new Gson().toJsonTree(one).getAsJsonObject());
    }
    return documents;
  }

  public List<JsonObject> all() {
    return all;
  }

  public List<JsonObject> ofKind(String kind) {
    return all.stream().filter(one -> one.get("kind").getAsString().equals(kind)).toList();
  }

  /** The one of a kind and name, which must be there. */
  public JsonObject get(String kind, String name) {
    return ofKind(kind).stream()
        .filter(one -> name(one).equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + kind + " " + name));
  }

  public static String name(JsonObject manifest) {
    return at(manifest, "metadata").get("name").getAsString();
  }

  /** The object at a path of keys. */
  public static JsonObject at(JsonObject from, String... path) {
    JsonObject found = from;
    for (String key : path) {
      if (!found.has(key)) {
        throw new AssertionError("no " + key + " in " + found);
      }
      found = found.getAsJsonObject(key);
    }
    return found;
  }

  /** The objects in a list. */
  public static List<JsonObject> each(JsonObject from, String list) {
    return from.getAsJsonArray(list).asList().stream().map(JsonElement::getAsJsonObject).toList();
  }
}
