package io.galop.persist.archive;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** Directories of the archive itself. */
final class DirectoryShelf implements Shelf {
  private final ArchiveDisk disk;
  private final Path archive;

  DirectoryShelf(ArchiveDisk disk, Path archive) {
    this.disk = disk;
    this.archive = archive;
  }

  @Override
  public void place(Map<Path, ArchiveFile> files) throws IOException {
    Set<Path> directories = new LinkedHashSet<>();
    for (Map.Entry<Path, ArchiveFile> file : files.entrySet()) {
      Path directory = archive.resolve(file.getValue().partition());
      if (directories.add(directory)) {
        disk.makeDirectories(directory);
      }
      disk.move(file.getKey(), directory.resolve(file.getValue().name()));
    }
    for (Path directory : directories) {
      disk.syncDirectory(directory);
    }
  }
}
