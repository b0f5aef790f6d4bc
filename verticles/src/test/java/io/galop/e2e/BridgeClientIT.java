package io.galop.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Pages written for the Vert.x event-bus bridge work unchanged. */
@Timeout(180)
class BridgeClientIT {
  @TempDir Path directory;

  @Test
  void anUnmodifiedBridgeClientSubscribesAndReceives() throws Exception {
    try (GalopProcess node = GalopProcess.run(directory, List.of(), List.of());
        Viewer client = Viewer.bridgeClient(node.http("/live"), "plant/+/temperature")) {
      Await.until(
          "a record published after the registration arrives",
          120,
          () -> {
            String record = "{\"celsius\":41.5}";
            Stored.post(node.http("/publish/plant/7/temperature"), "application/json", record);
            return !client.all("rec").isEmpty();
          });
      var message = client.all("rec").get(0);
      assertEquals("plant/+/temperature", message.getString("address"));
      assertEquals("plant/7/temperature", message.getJsonObject("headers").getString("topic"));
      assertEquals(41.5, message.getJsonObject("body").getJsonObject("data").getDouble("celsius"));
    }
  }
}
