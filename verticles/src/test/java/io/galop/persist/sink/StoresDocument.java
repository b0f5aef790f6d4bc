package io.galop.persist.sink;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What docs/stores.md shows how to ask, to be asked by tests. */
public final class StoresDocument {
  /** The topic that its queries are for. */
  public static final String TOPIC = "race/1/runner/2";

  private static final Path DOCUMENT =
      Path.of(System.getProperty("galop.root", ".."), "docs/stores.md");

  private StoresDocument() {}

  /** The text of the block that begins with three back quotes and these words. */
  public static String block(String words) throws IOException {
    Matcher block =
        Pattern.compile("(?ms)^```" + words + "\\n(.*?)^```$").matcher(Files.readString(DOCUMENT));
    if (!block.find()) {
      throw new AssertionError(DOCUMENT + " has no block " + words);
    }
    return block.group(1).strip();
  }
}
