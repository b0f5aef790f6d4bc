package io.galop.persist;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.galop.persist.log.LoopDisk;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class StoringNodesTest {
  @TempDir Path directory;

  @Test
  void namesThatWereAddedOutliveAPowerCut() throws Exception {
    try (LoopDisk disk = LoopDisk.orSkip(directory)) {
      Path data = Files.createDirectories(disk.directory());
      try (FileChannel parent = FileChannel.open(data.getParent(), StandardOpenOption.READ)) {
        parent.force(true);
      }
      StoringNodes nodes = StoringNodes.open(data, 1);
      nodes.add(Set.of("a"));
      nodes.add(Set.of("b"));
      disk.cutPower();
      disk.restart();
      assertEquals(Set.of("a", "b"), StoringNodes.open(data, 1).names());
    }
  }
}
