package io.galop.enrich;

import io.galop.config.enrich.FileSearch;
import io.galop.config.enrich.LookupConfig;
import io.galop.enrich.Csv.BrokenTable;
import io.galop.jvm.ErrorText;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** The file of a reference table; reading it blocks. */
final class TableFile {
  private final LookupConfig config;
  private final String directory;
  private volatile String loadedVersion = "";

  TableFile(LookupConfig config, String directory) {
    this.config = config;
    this.directory = directory;
  }

  /** Whether the file is another than the one loaded last: by place, size and time of change. */
  boolean hasChanged() {
    return FileSearch.find(directory, config.table())
        .map(path -> !version(path).equals(loadedVersion))
        .orElse(true);
  }

  /**
   * Reads the table.
   *
   * @throws IllegalArgumentException saying what is wrong with the file, and where
   */
  ReferenceTable load() {
    Path path = FileSearch.find(directory, config.table()).orElseThrow(this::missing);
    String version = version(path);
    loadedVersion = version;
    try {
      String csv = Files.readString(path);
      return ReferenceTable.parse(csv, config.keyColumn(), config.into(), config.maxRows());
    } catch (BrokenTable e) {
      throw wrong(ErrorText.of(e), e);
    } catch (CharacterCodingException e) {
      throw wrong("is not UTF-8", e);
    } catch (IOException e) {
      throw wrong("cannot be read: " + e.getMessage(), e);
    }
  }

  private IllegalArgumentException missing() {
    return wrong("is not in " + FileSearch.places(directory) + "; put it there", null);
  }

  private IllegalArgumentException wrong(String what, @Nullable Exception cause) {
    return new IllegalArgumentException("table " + config.table() + ": " + what, cause);
  }

  private static String version(Path path) {
    try {
      BasicFileAttributes file = Files.readAttributes(path, BasicFileAttributes.class);
      return path + " " + file.size() + " " + file.lastModifiedTime() + " " + file.fileKey();
    } catch (IOException e) {
      return path + " unreadable";
    }
  }
}
