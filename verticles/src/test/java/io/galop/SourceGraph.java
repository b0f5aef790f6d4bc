package io.galop;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.TreeScanner;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which class refers to which, read from the sources: by import, or by simple name within a
 * package. A {@code permits} clause is no reference: it repeats what the subclasses say. Only
 * top-level classes count; what is nested belongs to the class around it.
 */
final class SourceGraph {
  private final Map<String, Set<String>> classes = new TreeMap<>();

  SourceGraph(Iterable<? extends CompilationUnitTree> units) {
    for (CompilationUnitTree unit : units) {
      for (Tree declared : unit.getTypeDecls()) {
        if (declared instanceof ClassTree type) {
          classes.put(unit.getPackageName() + "." + type.getSimpleName(), new TreeSet<>());
        }
      }
    }
    for (CompilationUnitTree unit : units) {
      read(unit);
    }
  }

  private void read(CompilationUnitTree unit) {
    Set<String> imported = new HashSet<>();
    for (ImportTree one : unit.getImports()) {
      String name = one.getQualifiedIdentifier().toString();
      while (!classes.containsKey(name) && name.contains(".")) {
        name = name.substring(0, name.lastIndexOf('.'));
      }
      imported.add(name);
    }
    imported.retainAll(classes.keySet());
    for (Tree declared : unit.getTypeDecls()) {
      if (declared instanceof ClassTree type) {
        String self = unit.getPackageName() + "." + type.getSimpleName();
        Set<String> references = classes.get(self);
        references.addAll(imported);
        new Neighbours(unit.getPackageName().toString(), references).scan(type, null);
        references.remove(self);
      }
    }
  }

  private final class Neighbours extends TreeScanner<Void, Void> {
    private final String home;
    private final Set<String> found;

    Neighbours(String home, Set<String> found) {
      this.home = home;
      this.found = found;
    }

    @Override
    public Void visitClass(ClassTree type, Void unused) {
      scan(type.getModifiers(), null);
      scan(type.getTypeParameters(), null);
      scan(type.getExtendsClause(), null);
      scan(type.getImplementsClause(), null);
      return scan(type.getMembers(), null);
    }

    @Override
    public Void visitIdentifier(IdentifierTree identifier, Void unused) {
      String name = home + "." + identifier.getName();
      if (classes.containsKey(name)) {
        found.add(name);
      }
      return null;
    }
  }

  /** Class → the classes that it refers to. */
  Map<String, Set<String>> classes() {
    return classes;
  }

  /** Package → the packages that its classes refer to, sub-packages being packages of their own. */
  Map<String, Set<String>> packages() {
    Map<String, Set<String>> packages = new TreeMap<>();
    classes.forEach(
        (name, references) -> {
          Set<String> to = packages.computeIfAbsent(home(name), p -> new TreeSet<>());
          references.forEach(reference -> to.add(home(reference)));
          to.remove(home(name));
        });
    return packages;
  }

  static String home(String name) {
    return name.substring(0, name.lastIndexOf('.'));
  }

  /** Groups of two or more that all reach one another, largest first (Tarjan 1972). */
  static List<Set<String>> knots(Map<String, Set<String>> graph) {
    Tarjan tarjan = new Tarjan(graph);
    graph.keySet().forEach(tarjan::visit);
    tarjan.knots.sort((a, b) -> b.size() - a.size());
    return tarjan.knots;
  }

  private static final class Tarjan {
    private final Map<String, Set<String>> graph;
    private final Map<String, Integer> index = new HashMap<>();
    private final Map<String, Integer> low = new HashMap<>();
    private final Deque<String> stack = new ArrayDeque<>();
    private final List<Set<String>> knots = new ArrayList<>();

    Tarjan(Map<String, Set<String>> graph) {
      this.graph = graph;
    }

    int visit(String node) {
      if (index.containsKey(node)) {
        return stack.contains(node) ? index.get(node) : Integer.MAX_VALUE;
      }
      int number = index.size();
      index.put(node, number);
      low.put(node, number);
      stack.push(node);
      for (String next : graph.getOrDefault(node, Set.of())) {
        boolean isNew = !index.containsKey(next);
        int reached = visit(next);
        low.merge(node, isNew ? low.get(next) : reached, Math::min);
      }
      if (low.get(node) == number) {
        pop(node);
      }
      return low.get(node);
    }

    private void pop(String root) {
      Set<String> knot = new TreeSet<>();
      String popped;
      do {
        popped = stack.pop();
        knot.add(popped);
      } while (!popped.equals(root));
      if (knot.size() > 1) {
        knots.add(knot);
      }
    }
  }

  /** Simple names of more than one class. */
  static Collection<List<String>> doubleNames(Collection<String> names) {
    Map<String, List<String>> bySimple = new TreeMap<>();
    for (String name : names) {
      String simple = name.substring(name.lastIndexOf('.') + 1);
      bySimple.computeIfAbsent(simple, s -> new ArrayList<>()).add(name);
    }
    bySimple.values().removeIf(all -> all.size() < 2);
    return bySimple.values();
  }
}
