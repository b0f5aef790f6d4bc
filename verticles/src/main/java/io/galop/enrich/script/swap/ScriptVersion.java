package io.galop.enrich.script.swap;

import io.galop.config.enrich.ScriptConfig;
import io.galop.enrich.script.CandidateCheck;
import io.galop.enrich.script.Script;
import io.galop.enrich.script.TopicStates;
import io.galop.guest.SourceFile;
import io.galop.jvm.ErrorText;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/**
 * A version of a script: every event loop loads this text, whatever becomes of the file that it was
 * read from.
 */
final class ScriptVersion {
  private static final int SHOWN = 12;
  private final ScriptConfig config;
  private final int maxTopicBytes;
  private final SourceFile file;
  private final Optional<String> cases;
  private final String hash;

  /**
   * A version that is not loaded yet.
   *
   * @param cases the text of its cases file, if there is one
   */
  ScriptVersion(ScriptConfig config, int maxTopicBytes, SourceFile file, Optional<String> cases) {
    this.config = config;
    this.maxTopicBytes = maxTopicBytes;
    this.file = file;
    this.cases = cases;
    this.hash = hash(file.text());
  }

  /**
   * Loads it; takes from milliseconds to seconds, by the language.
   *
   * @param states what it goes on with for each topic
   * @throws IllegalArgumentException saying what is wrong with the script, where, and what to do
   */
  Script open(TopicStates states) {
    return Script.open(file, config, maxTopicBytes, states);
  }

  /** Loads it and runs its cases; says what is wrong and where, or nothing. */
  String problem() {
    try {
      open(new TopicStates(TopicStates.Bounds.of(config), () -> {})).close();
      return cases.flatMap(text -> CandidateCheck.problem(file, text)).orElse("");
    } catch (IllegalArgumentException e) {
      return ErrorText.of(e);
    }
  }

  String text() {
    return file.text();
  }

  Optional<String> cases() {
    return cases;
  }

  /** Names the version: two with the same text have the same. */
  String hash() {
    return hash;
  }

  static String hash(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest).substring(0, SHOWN);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
