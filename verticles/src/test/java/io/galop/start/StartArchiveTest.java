package io.galop.start;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The class archive that {@code ./galop} makes: used, never stale, and nobody's burden. */
@Tag("slow")
@Timeout(600)
class StartArchiveTest {
  private static final long PATIENCE_SECONDS = 240;
  private static final String MAKING = ".making";

  @TempDir private Path checkout;
  private Path archives;
  private Process node;

  @BeforeEach
  void checkout() throws IOException {
    archives = checkout.resolve("verticles/target/archive");
    for (String source : List.of("binder/src/main", "verticles/src/main", "verticles/scripts")) {
      Files.createDirectories(checkout.resolve(source));
    }
    Files.createDirectories(checkout.resolve("webroot"));
    for (String file : List.of("pom.xml", "cluster.xml", "binder/pom.xml", "verticles/pom.xml")) {
      Files.createFile(checkout.resolve(file));
    }
    Path script = Path.of(System.getProperty("galop.root", "..")).resolve("galop");
    Files.copy(script, checkout.resolve("galop"), StandardCopyOption.COPY_ATTRIBUTES);
    jar("first");
  }

  @AfterEach
  void stop() throws Exception {
    if (node != null) {
      node.destroyForcibly().waitFor();
    }
    until(() -> processes() == 0);
  }

  /** Another text is another size. */
  private void jar(String text) throws IOException {
    Path jar = checkout.resolve("verticles/target/galop.jar");
    Files.createDirectories(jar.getParent());
    Files.deleteIfExists(jar);
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, ArchivedProgram.class.getName());
    String name = ArchivedProgram.class.getName().replace('.', '/') + ".class";
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file, manifest);
        InputStream in = ArchivedProgram.class.getResourceAsStream("/" + name)) {
      out.putNextEntry(new ZipEntry(name));
      in.transferTo(out);
      out.putNextEntry(new ZipEntry(text));
    }
  }

  /** In a process group of its own, in which Ctrl-C does what it does on a terminal. */
  private Process galop(String command, String archive) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            "setsid", "env", "--default-signal=INT", checkout.resolve("galop").toString(), command);
    builder.environment().put("GALOP_ARCHIVE", archive);
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().remove("GALOP_JAVA_OPTS");
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    builder.redirectErrorStream(true).redirectOutput(checkout.resolve("log").toFile());
    return builder.start();
  }

  private void start(String archive) throws Exception {
    node = galop("run", archive);
    until(() -> Files.readString(checkout.resolve("log")).endsWith("ready\n"));
  }

  private void pressCtrlC() throws Exception {
    List<String> kill = List.of("kill", "-INT", "--", "-" + node.pid());
    assertEquals(0, new ProcessBuilder(kill).inheritIO().start().waitFor());
    assertTrue(node.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS));
    until(() -> processes() == 0);
  }

  private static void until(Callable<Boolean> condition) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!condition.call()) {
      assertTrue(System.nanoTime() < deadline, "it does not come about");
      Thread.sleep(50);
    }
  }

  private List<String> archives(String suffix) throws IOException {
    if (!Files.isDirectory(archives)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(archives)) {
      return files.map(Path::toString).filter(name -> name.endsWith(suffix)).toList();
    }
  }

  private boolean usesArchive() throws IOException {
    return Files.readString(Path.of("/proc/" + node.pid() + "/maps")).contains(archives + "/");
  }

  /** How many processes work with the checkout. */
  private long processes() {
    return ProcessHandle.allProcesses()
        .filter(each -> each.pid() != ProcessHandle.current().pid())
        .filter(ProcessHandle::isAlive)
        .filter(each -> each.info().commandLine().orElse("").contains(checkout + "/"))
        .count();
  }

  private String made() throws Exception {
    until(() -> archives(".jsa").size() == 1 && archives(MAKING).isEmpty());
    return archives(".jsa").get(0);
  }

  @Test
  void theSecondStartUsesWhatTheFirstHasMadeUntilTheJarChanges() throws Exception {
    start("on");
    assertFalse(usesArchive());
    String first = made();
    pressCtrlC();
    assertEquals(130, node.exitValue(), "as the JVM says after Ctrl-C");
    start("on");
    assertTrue(usesArchive());
    pressCtrlC();
    Process ends = galop("exit", "on");
    assertTrue(ends.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS));
    assertEquals(7, ends.exitValue());
    jar("the second");
    start("on");
    assertFalse(usesArchive(), "of another jar");
    until(() -> !archives(".jsa").equals(List.of(first)));
    assertNotEquals(first, made());
    pressCtrlC();
    start("on");
    assertTrue(usesArchive());
  }

  @Test
  void ctrlCAlsoEndsTheMakingOfAnArchive() throws Exception {
    start("on");
    until(() -> !archives(MAKING).isEmpty());
    pressCtrlC();
    until(() -> archives(MAKING).isEmpty());
    start("on");
    made();
  }

  @Test
  void whatAKilledMakerLeftIsRemovedWithTheNextArchive() throws Exception {
    Process dead = new ProcessBuilder("true").start();
    assertEquals(0, dead.waitFor());
    Path left = abandoned("of-another-jar", dead.pid());
    Path making = abandoned("of-another-node", ProcessHandle.current().pid());
    start("on");
    until(() -> archives(".jsa").size() == 1);
    assertFalse(Files.exists(left), "its maker is dead");
    assertTrue(Files.exists(making), "its maker is at work");
  }

  private Path abandoned(String name, long maker) throws IOException {
    Path making = Files.createDirectories(archives.resolve(name + ".jsa" + MAKING));
    Files.writeString(making.resolve("pid"), maker + "\n");
    Files.writeString(making.resolve("jsa"), "half of it");
    return making;
  }

  @Test
  void whoWantsNoneGetsNone() throws Exception {
    start("off");
    pressCtrlC();
    assertFalse(Files.exists(archives));
  }
}
