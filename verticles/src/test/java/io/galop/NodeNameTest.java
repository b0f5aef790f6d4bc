package io.galop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.ConfigLoader;
import io.galop.config.FileFault;
import io.galop.config.NodeConfig;
import io.galop.yaml.ConfigException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a node is called that nobody named, and what is said of a directory it cannot use. */
class NodeNameTest {
  @TempDir Path directory;

  private NodeConfig in(Path data) {
    return ConfigLoader.load(Optional.empty(), Map.of(), List.of("node.dataDir=" + data), Map.of())
        .node();
  }

  @Test
  void aNameIsKept() {
    String name = NodeName.of(in(directory));
    assertTrue(name.matches("node-[0-9a-f]{8}"), name);
    assertEquals(name, NodeName.of(in(directory)));
  }

  /** As a disk that was full leaves it. */
  @Test
  void anEmptyFileIsNoName() throws IOException {
    Files.writeString(directory.resolve("node-name"), "\n");
    String name = NodeName.of(in(directory));
    assertTrue(name.matches("node-[0-9a-f]{8}"), name);
    assertEquals(name, NodeName.of(in(directory)));
  }

  /** As a power cut, an editor or a copy from elsewhere may leave it. */
  @ParameterizedTest
  @ValueSource(strings = {"a\nb", "a\0", "\u001b[31mred", "a\u202eb", "\ufeffa", "a\ufffd"})
  void whatCanBeNoNameIsNotBelieved(String odd) throws IOException {
    Path file = Files.writeString(directory.resolve("node-name"), odd);
    ConfigException refused = assertThrows(ConfigException.class, () -> NodeName.of(in(directory)));
    String problem = refused.problems().get(0);
    assertTrue(problem.startsWith("node.name: what " + file), problem);
    assertTrue(problem.contains("must be a line of at most 200 characters"), problem);
    assertEquals(odd, Files.readString(file), "nothing is written over it");
    ConfigException configured =
        assertThrows(
            ConfigException.class,
            () ->
                ConfigLoader.load(Optional.empty(), Map.of(), List.of(), Map.of("node.name", odd)));
    assertTrue(
        configured.getMessage().contains("node.name: must be a line"), configured::getMessage);
  }

  @Test
  void whatIsNoTextOrTooLongIsNoName() throws IOException {
    Path file = directory.resolve("node-name");
    for (byte[] bytes : List.of(new byte[] {'a', (byte) 0xff}, new byte[201])) {
      Files.write(file, bytes);
      assertThrows(ConfigException.class, () -> NodeName.of(in(directory)));
    }
    Files.writeString(file, "x".repeat(201));
    assertThrows(ConfigException.class, () -> NodeName.of(in(directory)));
    Files.writeString(file, " Würzburg 2 \n");
    assertEquals("Würzburg 2", NodeName.of(in(directory)));
  }

  @Test
  void aFileIsNoDirectory() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "");
    ConfigException refused = assertThrows(ConfigException.class, () -> NodeName.of(in(file)));
    assertTrue(refused.getMessage().contains("it is a file; name a directory"));
  }

  @Test
  void whatIsWrongWithAFileIsSaidInWords() {
    String denied = FileFault.of(new AccessDeniedException("/a"));
    assertEquals(
        "user '%s' has no permission for /a".formatted(System.getProperty("user.name")), denied);
    assertEquals("IOException", FileFault.of(new IOException()));
    assertEquals("it broke", FileFault.of(new IOException("it broke")));
  }

  @Test
  void aDirectoryIsNoConfiguration() {
    ConfigException refused =
        assertThrows(
            ConfigException.class,
            () -> ConfigLoader.load(Optional.of(directory), Map.of(), List.of(), Map.of()));
    assertTrue(refused.getMessage().contains("it is a directory"), refused.getMessage());
  }
}
