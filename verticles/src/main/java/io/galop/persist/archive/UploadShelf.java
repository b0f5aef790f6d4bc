package io.galop.persist.archive;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/**
 * A place on another machine. A file is deleted here once it is there; if its end here is
 * forgotten, it is sent again under the same name, in place of itself.
 */
final class UploadShelf implements Shelf {
  private final ArchiveDisk disk;
  private final Upload upload;

  UploadShelf(ArchiveDisk disk, Upload upload) {
    this.disk = disk;
    this.upload = upload;
  }

  @Override
  public void place(Map<Path, ArchiveFile> files) throws IOException {
    for (Map.Entry<Path, ArchiveFile> file : files.entrySet()) {
      ArchiveFile named = file.getValue();
      upload.put(file.getKey(), named.partition() + '/' + named.name());
      disk.delete(file.getKey());
    }
  }
}
