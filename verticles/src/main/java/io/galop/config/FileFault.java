package io.galop.config;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;

/** What is wrong with a file, in words: some exceptions say it by their class only. */
public final class FileFault {
  private FileFault() {}

  /** A sentence with the file's name, for an operator. */
  public static String of(IOException failure) {
    if (failure instanceof NoSuchFileException file) {
      return "there is no file " + file.getFile();
    } else if (failure instanceof AccessDeniedException file) {
      String user = System.getProperty("user.name");
      return "user '%s' has no permission for %s".formatted(user, file.getFile());
    } else if (failure instanceof FileAlreadyExistsException file) {
      return file.getFile() + " is there already";
    }
    String said = failure.getMessage();
    return said == null ? failure.getClass().getSimpleName() : said;
  }
}
