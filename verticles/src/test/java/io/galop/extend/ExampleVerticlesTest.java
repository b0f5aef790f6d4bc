package io.galop.extend;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The verticles that come with Galop, in a real node. */
@Tag("slow")
@Timeout(180)
class ExampleVerticlesTest {
  @TempDir Path directory;

  @Test
  void alarmsInJavaScript() throws Exception {
    LimitAlarmRun.run(directory, "js:verticles/limit-alarm.js", 1);
  }

  @Test
  void alarmsInJava() throws Exception {
    compile("LimitAlarm.java");
    LimitAlarmRun.run(directory, "java:LimitAlarm", 1);
  }

  /** Where the class loader of the tests finds it, as that of a node those in lib. */
  private static void compile(String source) throws Exception {
    Path classes =
        Path.of(
            ExampleVerticlesTest.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    String file = Path.of("scripts/verticles", source).toString();
    String[] args = {"-d", classes.toString(), "-Xlint:all,-serial", "-Werror", file};
    assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, args));
  }

  @Test
  void alarmsInThreeInstancesAreTheSame() throws Exception {
    LimitAlarmRun.run(directory, "js:verticles/limit-alarm.js", 3);
  }

  @Test
  void aSourceInJavaScript() throws Exception {
    assertWave("js:verticles/wave.js");
  }

  @Test
  void aSourceInJava() throws Exception {
    compile("Wave.java");
    assertWave("java:Wave");
  }

  private void assertWave(String name) throws Exception {
    String settings = "settings: {topic: sensor/wave, everyMs: '20', high: '3'}";
    String verticles = "[{name: '%s', %s}]".formatted(name, settings);
    try (VerticleNode node = VerticleNode.start(directory, verticles)) {
      List<Integer> values =
          node.history("sensor/wave", 8).stream()
              .map(record -> record.getJsonObject("data").getInteger("value"))
              .limit(8)
              .toList();
      assertEquals(List.of(0, 1, 2, 3, 2, 1, 0, 1), values);
      JsonObject status = node.status(name);
      assertEquals(0, status.getLong("errors"), status::encode);
    }
  }
}
