package io.galop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/** The files that decide about a record, as docs/architecture.md lists them, are in the code. */
class WayOfARecordTest {
  private static final Path DOCUMENT = Path.of("../docs/architecture.md");
  private static final Path SOURCES = Path.of("src/main/java/io/galop");
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `([a-z]+/[A-Za-z/]+)\\.([a-z][A-Za-z]*)` \\|");

  private static final Pattern STAGE =
      Pattern.compile("(?m)^\\| ([a-z]+) \\| `([a-z]+/[A-Za-z/]+)\\.([a-z][A-Za-z]*)` \\|");

  /** It may only fall. */
  private static final int MOST_FILES = 12;

  private static List<MatchResult> rows() throws IOException {
    return ROW.matcher(Files.readString(DOCUMENT)).results().toList();
  }

  @Test
  void eachFileHasTheMethodThatDecides() throws IOException {
    for (MatchResult row : rows()) {
      Path file = SOURCES.resolve(row.group(1) + ".java");
      assertTrue(Files.exists(file), file + " is listed in " + DOCUMENT);
      assertTrue(methods(file).contains(row.group(2)), row.group() + " has no such method");
    }
  }

  @Test
  void theFilesDoNotBecomeMore() throws IOException {
    Set<String> files = new HashSet<>();
    rows().forEach(row -> files.add(row.group(1)));
    System.out.println("house: files that decide about a record: " + files.size());
    assertEquals(rows().size(), files.size(), "each once");
    assertTrue(files.size() > 8 && files.size() <= MOST_FILES, "files: " + files);
  }

  @Test
  void eachStageHasAMethodThatReadsAsItsPipeline() throws IOException {
    List<MatchResult> stages = STAGE.matcher(Files.readString(DOCUMENT)).results().toList();
    assertEquals(
        List.of("ingest", "enrich", "persist", "broadcast"),
        stages.stream().map(stage -> stage.group(1)).toList());
    for (MatchResult stage : stages) {
      assertTrue(stage.group(2).startsWith(stage.group(1) + "/"), stage.group());
      Path file = SOURCES.resolve(stage.group(2) + ".java");
      assertTrue(methods(file).contains(stage.group(3)), stage.group() + " has no such method");
    }
  }

  private static Set<String> methods(Path file) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    Set<String> names = new HashSet<>();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(null, files, null, null, null, files.getJavaFileObjects(file));
      for (CompilationUnitTree unit : task.parse()) {
        List<Tree> members = new ArrayList<>();
        unit.getTypeDecls().forEach(type -> members.addAll(((ClassTree) type).getMembers()));
        for (Tree member : members) {
          if (member instanceof MethodTree method) {
            names.add(method.getName().toString());
          }
        }
      }
    }
    return names;
  }
}
