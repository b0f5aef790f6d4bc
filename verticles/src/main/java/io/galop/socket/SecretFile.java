package io.galop.socket;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Files whose first line is a secret, such as the mounts of an engine for containers. */
public final class SecretFile {
  private static final int MOST_BYTES = 4096;

  private SecretFile() {}

  /**
   * The first line, without space around it; blocks.
   *
   * @throws IOException with what is wrong with the file, as the end of a sentence
   */
  public static String read(String file) throws IOException {
    byte[] line = firstLine(file);
    try {
      ByteBuffer bytes = ByteBuffer.wrap(line);
      String secret = StandardCharsets.UTF_8.newDecoder().decode(bytes).toString().strip();
      if (secret.isEmpty()) {
        throw new IOException("its first line is empty");
      }
      return secret;
    } catch (CharacterCodingException e) {
      throw new IOException("its first line is not UTF-8", e);
    }
  }

  private static byte[] firstLine(String file) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    try (InputStream in = Files.newInputStream(Path.of(file))) {
      for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
        if (line.size() == MOST_BYTES) {
          break;
        }
        line.write(next);
      }
    } catch (IOException | InvalidPathException e) {
      throw new IOException("it cannot be read", e);
    }
    if (line.size() == MOST_BYTES) {
      throw new IOException("its first line is longer than " + MOST_BYTES + " bytes");
    }
    return line.toByteArray();
  }
}
