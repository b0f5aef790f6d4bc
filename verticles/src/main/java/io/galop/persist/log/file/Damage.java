package io.galop.persist.log.file;

import java.nio.file.Path;

/**
 * A stretch of the Log that cannot be read. It stays where it is; a copy is kept aside.
 *
 * @param segment the file
 * @param from first byte
 * @param to the byte after the last
 * @param what what is wrong, in words
 */
public record Damage(Path segment, long from, long to, String what) {
  @Override
  public String toString() {
    return segment.getFileName() + " bytes " + from + " to " + to + ": " + what;
  }
}
