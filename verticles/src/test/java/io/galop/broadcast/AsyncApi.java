package io.galop.broadcast;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * The messages that docs/asyncapi.yaml describes. Clients ignore fields that they do not know; here
 * a field that is not described is a mistake of the document.
 */
final class AsyncApi {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final JsonObject document;
  private final SchemaRegistry registry =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);

  private AsyncApi(JsonObject document) {
    this.document = document;
    close(document.getJsonObject("components").getJsonObject("schemas"));
  }

  static AsyncApi read() throws IOException {
    try (Reader yaml = Files.newBufferedReader(Path.of("../docs/asyncapi.yaml"))) {
      Object read = new Load(LoadSettings.builder().build()).loadFromReader(yaml);
      return new AsyncApi(new JsonObject(JSON.writeValueAsString(read)));
    }
  }

  /** Lets objects whose fields are named have no others. */
  private static void close(Object part) {
    if (part instanceof JsonObject object) {
      if ("object".equals(object.getValue("type")) && object.containsKey("properties")) {
        object.put("additionalProperties", false);
      }
      List.copyOf(object.fieldNames()).forEach(name -> close(object.getValue(name)));
    } else if (part instanceof JsonArray array) {
      array.forEach(AsyncApi::close);
    }
  }

  private Object at(String pointer) {
    Object at = document;
    for (String name : pointer.substring(2).split("/")) {
      at = ((JsonObject) at).getValue(name);
      if (at == null) {
        throw new AssertionError("docs/asyncapi.yaml has no " + pointer);
      }
    }
    return at;
  }

  private JsonObject follow(JsonObject reference) {
    return (JsonObject) at(reference.getString("$ref"));
  }

  /** The messages of an operation, by what they have as type. */
  Map<String, Schema> messages(String operation) {
    Map<String, Schema> messages = new TreeMap<>();
    JsonArray references = ((JsonObject) at("#/operations/" + operation)).getJsonArray("messages");
    for (int i = 0; i < references.size(); i++) {
      JsonObject message = follow(follow(references.getJsonObject(i)));
      JsonObject payload = message.getJsonObject("payload");
      String type =
          follow(payload).getJsonObject("properties").getJsonObject("type").getString("const");
      JsonObject schema = payload.copy().put("components", document.getValue("components"));
      messages.put(type, registry.getSchema(tree(schema)));
    }
    return messages;
  }

  private static JsonNode tree(JsonObject object) {
    try {
      return JSON.readTree(object.encode());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What of a message is otherwise than described; empty if nothing is. */
  static List<String> faults(Map<String, Schema> messages, JsonObject message) {
    Schema schema = messages.get(message.getString("type"));
    if (schema == null) {
      return List.of("not described: " + message.encode());
    }
    List<String> faults = new ArrayList<>();
    for (Error error : schema.validate(tree(message))) {
      faults.add(error + " in " + message.encode());
    }
    return faults;
  }
}
