package io.galop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/** Who may import whom, and how large files and methods may grow. */
class HouseRulesTest {
  private static final List<Path> MAIN =
      Stream.of(
              "../binder",
              ".",
              "../addons/python",
              "../addons/groovy",
              "../addons/kotlin",
              "../addons/kafka",
              "../addons/cassandra",
              "../addons/s3",
              "../addons/opentelemetry")
          .map(module -> Path.of(module, "src/main/java"))
          .toList();

  /** Of all modules, tests too. */
  private static final List<Path> SOURCES =
      Stream.of(
              "../binder",
              "../clients/java",
              ".",
              "../loadtest",
              "../benchmarks",
              "../ie8",
              "../addons/python",
              "../addons/groovy",
              "../addons/kotlin",
              "../addons/kafka",
              "../addons/cassandra",
              "../addons/s3",
              "../addons/opentelemetry",
              "../addons/tests")
          .map(module -> Path.of(module, "src"))
          .toList();

  private static final int MOST_LINES_OF_A_FILE = 400;
  private static final int MOST_LINES_OF_A_METHOD = 40;

  /** What every stage builds on. */
  private static final Set<String> BASE =
      Set.of(
          "vertx", "jvm", "retry", "json", "record", "yaml", "config", "socket", "store", "cluster",
          "bus", "latency", "ledger", "node");

  /** Package → the packages of Galop that it may import besides itself and its sub-packages. */
  private static final Map<String, Set<String>> MAY_IMPORT =
      Map.ofEntries(
          Map.entry("vertx", Set.of()),
          Map.entry("jvm", Set.of()),
          Map.entry("retry", Set.of()),
          Map.entry("json", Set.of("vertx")),
          Map.entry("record", Set.of("vertx", "json")),
          Map.entry("expression", Set.of("record")),
          Map.entry("yaml", Set.of()),
          Map.entry("config", Set.of("vertx", "record", "yaml")),
          Map.entry("socket", Set.of("jvm", "yaml", "config")),
          Map.entry("store", Set.of("config")),
          Map.entry("ring", Set.of()),
          Map.entry("cluster", Set.of("jvm", "yaml", "config", "socket")),
          Map.entry("bus", Set.of("vertx", "retry", "record", "config", "cluster")),
          Map.entry("latency", Set.of("record")),
          Map.entry("ledger", Set.of()),
          Map.entry(
              "node", Set.of("jvm", "record", "config", "socket", "bus", "latency", "ledger")),
          Map.entry("presence", BASE),
          Map.entry("ingest", with("ring", "kafka", "presence")),
          Map.entry("link", with("presence")),
          Map.entry("enrich", with("expression", "guest", "scratch", "python", "groovy", "kotlin")),
          Map.entry("follow", with("persist")), // its RAM tier
          Map.entry("persist", with("scratch", "kafka", "follow")),
          Map.entry("broadcast", with("expression", "presence", "follow")),
          Map.entry("alarm", with("expression")),
          Map.entry("extend", with("guest", "python", "groovy", "kotlin")),
          Map.entry("guest", Set.of("config", "jvm", "bus")),
          Map.entry("kafka", Set.of("config")),
          Map.entry("telemetry", Set.of("config", "jvm", "latency", "node")),
          Map.entry("python", Set.of()),
          Map.entry("groovy", Set.of()),
          Map.entry("scratch", Set.of()),
          Map.entry("kotlin", Set.of("scratch")),
          Map.entry("letter", Set.of("json", "record")),
          Map.entry("ops", with("letter", "presence")),
          Map.entry("cli", with("letter", "ring")));

  private static Set<String> with(String... more) {
    return Stream.concat(BASE.stream(), Stream.of(more)).collect(Collectors.toUnmodifiableSet());
  }

  private static final String HAZELCAST = "com.hazelcast.";

  private static final List<String> EVENT_BUS =
      List.of("io.vertx.core.eventbus.", "io.vertx.ext.eventbus.");

  /**
   * What a lane gives back to whoever registers with it, to wait for and to end the registration.
   */
  private static final String LANE_HANDLE = "io.vertx.core.eventbus.MessageConsumer";

  /** How the event bus is told why a connection to another node was not made. */
  private static final Set<String> CONNECTION_FAILURES =
      Set.of("io.vertx.core.eventbus.ReplyException", "io.vertx.core.eventbus.ReplyFailure");

  @Test
  void packagesImportOnlyWhatTheyMay() throws IOException {
    List<String> broken = new ArrayList<>();
    for (CompilationUnitTree unit : parse()) {
      String from = part(unit.getPackageName().toString());
      for (ImportTree imported : unit.getImports()) {
        String name = imported.getQualifiedIdentifier().toString();
        if (!allowed(from, name)) {
          broken.add(unit.getSourceFile().getName() + " imports " + name);
        }
      }
    }
    assertEquals(List.of(), broken);
  }

  private static boolean allowed(String from, String name) {
    if (!from.equals("cluster") && name.startsWith(HAZELCAST)) {
      return false;
    }
    if (!from.equals("bus")
        && !name.equals(LANE_HANDLE)
        && !(from.equals("socket") && CONNECTION_FAILURES.contains(name))
        && EVENT_BUS.stream().anyMatch(name::startsWith)) {
      return false;
    }
    if (!name.startsWith("io.galop.") || from.isEmpty()) {
      return true;
    }
    String to = part(name.substring(0, name.lastIndexOf('.')));
    return to.equals(from) || MAY_IMPORT.get(from).contains(to);
  }

  /** The part of Galop that a package belongs to; empty for the root. */
  private static String part(String name) {
    String[] levels = name.split("\\.");
    return levels.length > 2 ? levels[2] : "";
  }

  /**
   * A Future without a context, as a Promise of our own is, goes on on a thread of Netty's when its
   * time is over.
   */
  @Test
  void onlyALoopWaitsForSoLongAtMost() throws IOException {
    Pattern timeout = Pattern.compile("\\.timeout\\([^;]*,\\s*TimeUnit\\.");
    List<String> found = new ArrayList<>();
    for (Path file : javaFiles(MAIN)) {
      if (timeout.matcher(Files.readString(file)).find()) {
        found.add(file + " uses Future.timeout: use io.galop.vertx.Loop.within");
      }
    }
    assertEquals(List.of(), found);
  }

  @Test
  void filesStaySmall() throws IOException {
    List<String> large = new ArrayList<>();
    for (Path file : javaFiles(SOURCES)) {
      int lines = Files.readAllLines(file).size();
      if (lines > MOST_LINES_OF_A_FILE) {
        large.add(file + ": " + lines + " lines");
      }
    }
    assertEquals(List.of(), large);
  }

  @Test
  void methodsStaySmall() throws IOException {
    List<String> large = new ArrayList<>();
    for (CompilationUnitTree unit : parse()) {
      large.addAll(largeMethods(unit));
    }
    assertEquals(List.of(), large);
  }

  private static List<String> largeMethods(CompilationUnitTree unit) {
    List<String> large = new ArrayList<>();
    LineMap lines = unit.getLineMap();
    new TreePathScanner<Void, Void>() {
      @Override
      public Void visitMethod(MethodTree method, Void unused) {
        SourcePositions positions = POSITIONS.get();
        long first = lines.getLineNumber(positions.getStartPosition(unit, method));
        long last = lines.getLineNumber(positions.getEndPosition(unit, method));
        if (last - first >= MOST_LINES_OF_A_METHOD) {
          large.add(
              unit.getSourceFile().getName() + " " + method.getName() + ": " + (last - first));
        }
        return super.visitMethod(method, unused);
      }
    }.scan(unit, null);
    return large;
  }

  private static final ThreadLocal<SourcePositions> POSITIONS = new ThreadLocal<>();

  private static Iterable<? extends CompilationUnitTree> parse() throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
    List<Path> sources = javaFiles(MAIN);
    JavacTask task =
        (JavacTask)
            compiler.getTask(
                null, files, null, null, null, files.getJavaFileObjectsFromPaths(sources));
    Iterable<? extends CompilationUnitTree> units = task.parse();
    POSITIONS.set(Trees.instance(task).getSourcePositions());
    return units;
  }

  private static List<Path> javaFiles(List<Path> directories) throws IOException {
    List<Path> files = new ArrayList<>();
    for (Path directory : directories) {
      int before = files.size();
      try (Stream<Path> paths = Files.walk(directory)) {
        paths.filter(path -> path.toString().endsWith(".java")).forEach(files::add);
      }
      assertTrue(files.size() > before, "no sources are in " + directory);
    }
    return files;
  }
}
