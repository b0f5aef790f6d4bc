package io.galop.ops.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.galop.ops.cluster.ClusterReports.Answers;
import io.galop.ops.cluster.ClusterReports.Unanswered;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Who owns a shard, of what nodes say of it. */
class ShardMapTest {
  private static JsonObject owned(long epoch, String... followers) {
    return new JsonObject()
        .put("state", "owned")
        .put("epoch", epoch)
        .put("onDisk", "0." + epoch + "-9")
        .put("followers", new JsonArray(List.of(followers)));
  }

  private static JsonObject word(String state) {
    return new JsonObject().put("state", state);
  }

  private static JsonObject says(JsonObject... shards) {
    return new JsonObject().put("shards", new JsonArray(List.of(shards)));
  }

  private static JsonObject row(Optional<String> due, Map<String, JsonObject> given) {
    return row(due, new Answers(given, Map.of("c", new Unanswered("it hangs", "no_answer"))));
  }

  private static JsonObject row(Optional<String> due, Answers answers) {
    Map<String, String> names = Map.of("1", "a", "2", "b");
    JsonObject json = new ShardMap(List.of(due), names, answers).json();
    return json.getJsonArray("shards").getJsonObject(0);
  }

  @Test
  void theOwnerIsWhoSaysSo() {
    JsonObject row =
        row(Optional.of("a"), Map.of("a", says(word("waiting")), "b", says(owned(7, "2", "1"))));
    assertEquals("b", row.getString("owner"));
    assertEquals("owned", row.getString("state"));
    assertEquals(7, row.getInteger("epoch"));
    assertEquals(new JsonArray().add("a").add("b"), row.getJsonArray("followers"));
    assertEquals(0, row.getInteger("shard"));
  }

  @Test
  void twoOwnersAreNamedAndTheNewerCounts() {
    JsonObject row = row(Optional.of("a"), Map.of("a", says(owned(3)), "b", says(owned(4))));
    assertEquals("b", row.getString("owner"));
    assertEquals("owned by several: a, b", row.getString("state"));
  }

  @Test
  void aShardWithoutOwnerSaysWhy() {
    JsonObject taken = row(Optional.of("a"), Map.of("a", says(word("being taken over"))));
    assertFalse(taken.containsKey("owner"));
    assertEquals("a", taken.getString("due"));
    assertEquals("being taken over", taken.getString("state"));
    assertEquals("no answer from c", row(Optional.of("c"), Map.of()).getString("state"));
    String nobody = "no node that stores is there";
    assertEquals(nobody, row(Optional.empty(), Answers.NONE).getString("state"));
  }
}
