package io.galop.enrich;

import io.galop.config.enrich.FileSearch;
import io.galop.jvm.ErrorText;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * A text file that a step reads whole, such as a table; reading it blocks.
 *
 * @param <T> what the file becomes
 */
final class StepFile<T> {

  /** Makes of the file's text what the step needs. */
  @FunctionalInterface
  interface Parser<T> {
    /**
     * Takes the text.
     *
     * @throws FaultyText saying what is wrong with it, and where
     */
    T parse(String text);
  }

  /** The text of a file breaks a rule; the message says where and which. */
  static class FaultyText extends RuntimeException {
    private static final long serialVersionUID = 1L;

    FaultyText(String where, String rule) {
      super(where + ": " + rule);
    }
  }

  private final String kind;
  private final String file;
  private final String directory;
  private final Parser<T> parser;
  private volatile String loadedVersion = "";

  /**
   * A file that is looked for when it is read.
   *
   * @param kind the word for such a file in messages, such as {@code table}
   * @param directory the first place to look for it, see {@link FileSearch}
   */
  StepFile(String kind, String file, String directory, Parser<T> parser) {
    this.kind = kind;
    this.file = file;
    this.directory = directory;
    this.parser = parser;
  }

  /** Whether the file is another than the one loaded last: by place, size and time of change. */
  boolean hasChanged() {
    return FileSearch.find(directory, file)
        .map(path -> !version(path).equals(loadedVersion))
        .orElse(true);
  }

  /**
   * Reads the file.
   *
   * @throws IllegalArgumentException saying what is wrong with it, and where
   */
  T load() {
    Path path = FileSearch.find(directory, file).orElseThrow(this::missing);
    String version = version(path);
    loadedVersion = version;
    try {
      return parser.parse(Files.readString(path));
    } catch (FaultyText e) {
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
    return new IllegalArgumentException(this + ": " + what, cause);
  }

  private static String version(Path path) {
    try {
      BasicFileAttributes file = Files.readAttributes(path, BasicFileAttributes.class);
      return path + " " + file.size() + " " + file.lastModifiedTime() + " " + file.fileKey();
    } catch (IOException e) {
      return path + " unreadable";
    }
  }

  @Override
  public String toString() {
    return kind + " " + file;
  }
}
