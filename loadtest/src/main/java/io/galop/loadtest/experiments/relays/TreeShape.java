package io.galop.loadtest.experiments.relays;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Processes in levels: number 0 stores, and dials those of the first level; each further relay is
 * dialled by two of the level before it, if that has two.
 *
 * @param levels how many relays each level has, from the storing node on
 * @param isShown whether the storing node has viewers too
 */
record TreeShape(List<Integer> levels, boolean isShown) {
  TreeShape {
    levels = List.copyOf(levels);
  }

  /** How many processes there are. */
  int nodes() {
    return 1 + levels.stream().mapToInt(Integer::intValue).sum();
  }

  /** The numbers of a level's processes; level 0 is the node that stores. */
  List<Integer> of(int level) {
    int first = level == 0 ? 0 : 1 + levels.stream().limit(level - 1).mapToInt(n -> n).sum();
    int count = level == 0 ? 1 : levels.get(level - 1);
    return IntStream.range(first, first + count).boxed().toList();
  }

  /** How many links there are. */
  int links() {
    return IntStream.range(0, nodes()).map(node -> dialledBy(node).size()).sum();
  }

  /** Whom a process dials. */
  List<Integer> dialledBy(int node) {
    int level = IntStream.rangeClosed(0, levels.size()).filter(l -> of(l).contains(node)).sum();
    if (level == levels.size()) {
      return List.of();
    }
    List<Integer> parents = of(level);
    List<Integer> children = of(level + 1);
    int place = parents.indexOf(node);
    return IntStream.range(0, children.size())
        .filter(child -> child % parents.size() == place || (child + 1) % parents.size() == place)
        .mapToObj(children::get)
        .toList();
  }
}
