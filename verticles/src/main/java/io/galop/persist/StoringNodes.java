package io.galop.persist;

import io.galop.cluster.Member;
import io.galop.config.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The names of all nodes that this one has ever seen storing, in a file of the data directory. One
 * of them that is not there may have owned a shard while this node was down, so nothing may be
 * called complete. A node that is gone for good is taken out of the file by hand.
 */
final class StoringNodes {
  private static final Logger LOG = LoggerFactory.getLogger(StoringNodes.class);
  private static final String FILE = "storing-nodes";
  private final Path file;
  private final StoringLogs logs;
  private volatile Set<String> names;

  private StoringNodes(Path file, StoringLogs logs, Set<String> names) {
    this.file = file;
    this.logs = logs;
    this.names = names;
  }

  /** Reads the file. Blocking. */
  static StoringNodes open(Path directory, int shards) {
    Path file = directory.resolve(FILE);
    Set<String> names = new TreeSet<>();
    try {
      if (Files.exists(file)) {
        names.addAll(Files.readAllLines(file).stream().filter(name -> !name.isBlank()).toList());
      }
    } catch (IOException e) {
      LOG.warn("cannot read {}: {}", file, e.getMessage());
    }
    return new StoringNodes(file, StoringLogs.open(directory, shards), Set.copyOf(names));
  }

  /** The names of those of some nodes that store. */
  static Set<String> among(List<Member> members) {
    return members.stream()
        .filter(member -> member.roles().contains(Role.PERSIST))
        .map(Member::name)
        .collect(Collectors.toSet());
  }

  /** Which Logs they have. */
  StoringLogs logs() {
    return logs;
  }

  /** All names, this node's own perhaps among them. */
  Set<String> names() {
    return names;
  }

  /** Whether all of these are known. */
  boolean has(Set<String> seen) {
    return names.containsAll(seen);
  }

  /** Whether there is something to {@link #add} or to write. */
  boolean isNews(Set<String> seen) {
    return !has(seen) || logs.isUnsaved();
  }

  /**
   * Adds names and puts them on the disk, with what is known of Logs. Blocking; may be called from
   * any thread.
   */
  synchronized void add(Set<String> seen) {
    logs.write();
    Set<String> all = new TreeSet<>(names);
    if (!all.addAll(seen)) {
      return;
    }
    try {
      NotedFile.replace(file, String.join("\n", all) + "\n");
      names = Set.copyOf(all);
    } catch (IOException e) {
      LOG.warn("cannot write {}: {}", file, e.getMessage());
    }
  }
}
