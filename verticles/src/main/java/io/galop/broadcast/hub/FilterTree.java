package io.galop.broadcast.hub;

import io.galop.record.Topic;
import io.galop.record.TopicFilter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The filters with wildcards, level by level, so that a topic meets those only that begin as it
 * does, however many others there are.
 */
final class FilterTree {
  private static final String ANY = "+";
  private static final String REST = "#";

  private final Node root = new Node();

  /** What follows on some levels. */
  private static final class Node {
    private final Map<String, Node> named = new HashMap<>();
    private @Nullable Node any;

    /** Of the filter that ends here, and of the one that goes on with {@code #}. */
    private @Nullable FilterGroup ending;

    private @Nullable FilterGroup rest;

    private boolean isEmpty() {
      return named.isEmpty() && any == null && ending == null && rest == null;
    }
  }

  /** Adds a filter that is not there yet. */
  void add(FilterGroup group) {
    Node node = root;
    for (String level : levels(group.filter())) {
      if (level.equals(REST)) {
        node.rest = group;
        return;
      }
      node = next(node, level);
    }
    node.ending = group;
  }

  private static String[] levels(TopicFilter filter) {
    return filter.toString().split("/", -1);
  }

  private static Node next(Node node, String level) {
    if (!level.equals(ANY)) {
      return node.named.computeIfAbsent(level, name -> new Node());
    }
    Node any = node.any == null ? new Node() : node.any;
    node.any = any;
    return any;
  }

  /** Removes a filter that is there. */
  void remove(TopicFilter filter) {
    remove(root, levels(filter), 0);
  }

  private static void remove(Node node, String[] levels, int at) {
    if (at == levels.length) {
      node.ending = null;
    } else if (levels[at].equals(REST)) {
      node.rest = null;
    } else if (levels[at].equals(ANY)) {
      node.any = without(node.any, levels, at + 1);
    } else {
      node.named.computeIfPresent(levels[at], (name, next) -> without(next, levels, at + 1));
    }
  }

  /** A node without the filter; null if nothing is left of it. */
  private static @Nullable Node without(@Nullable Node node, String[] levels, int at) {
    if (node == null) {
      return null;
    }
    remove(node, levels, at);
    return node.isEmpty() ? null : node;
  }

  /** Adds those that mean a topic to what was found. */
  void find(String topic, List<FilterGroup> found) {
    if (!Topic.isReserved(topic)) {
      find(root, topic, 0, found);
      return;
    }
    int end = end(topic, 0); // a leading wildcard passes over topics that start with '$'
    Node named = root.named.get(topic.substring(0, end));
    if (named != null) {
      find(named, topic, end + 1, found);
    }
  }

  private static void find(Node node, String topic, int from, List<FilterGroup> found) {
    if (node.rest != null) {
      found.add(node.rest);
    }
    if (from > topic.length()) {
      if (node.ending != null) {
        found.add(node.ending);
      }
      return;
    }
    int end = end(topic, from);
    Node named = node.named.isEmpty() ? null : node.named.get(topic.substring(from, end));
    if (named != null) {
      find(named, topic, end + 1, found);
    }
    if (node.any != null) {
      find(node.any, topic, end + 1, found);
    }
  }

  private static int end(String topic, int from) {
    int slash = topic.indexOf('/', from);
    return slash < 0 ? topic.length() : slash;
  }
}
