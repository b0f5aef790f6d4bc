package io.galop.ingest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The Java example of docs/doors.md publishes a record through a ring. */
@Timeout(180)
class DocumentedRingTest {
  private static final Path DOCUMENT = Path.of("../docs/doors.md");
  private static final Pattern EXAMPLE = Pattern.compile("(?ms)^```java\\n(.*?)^```$");

  @TempDir Path directory;

  @Test
  void theExamplePublishes() throws Exception {
    Path ring = directory.resolve("galop.ring");
    compile(ring);
    try (OpenDoors doors = new OpenDoors("ingest.ring.paths=[" + ring + "]");
        URLClassLoader classes =
            new URLClassLoader(
                new URL[] {directory.toUri().toURL()}, getClass().getClassLoader())) {
      classes
          .loadClass("Example")
          .getMethod("run", byte[].class, byte[].class, byte[].class)
          .invoke(null, bytes("plant/pump"), bytes("i1"), bytes("{\"bar\":3.2}"));
      OpenDoors.await(() -> !doors.taken.isEmpty());
      assertEquals("plant/pump", doors.records().get(0).topic());
      assertEquals("i1", doors.records().get(0).id());
    }
  }

  private void compile(Path ring) throws Exception {
    Matcher example = EXAMPLE.matcher(Files.readString(DOCUMENT));
    assertTrue(example.find(), DOCUMENT + " has no example in Java");
    String source =
        """
        import io.galop.ring.RingPublisher;
        import java.nio.file.Path;

        public class Example {
          public static void run(byte[] topic, byte[] id, byte[] data) throws Exception {
            %s
          }
        }
        """
            .formatted(example.group(1).replace("/dev/shm/galop-feed.ring", ring.toString()));
    Path file = Files.writeString(directory.resolve("Example.java"), source);
    String[] arguments = {
      "-cp", System.getProperty("java.class.path"), "-d", directory.toString(), file.toString()
    };
    assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
