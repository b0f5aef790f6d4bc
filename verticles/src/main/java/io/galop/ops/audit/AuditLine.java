package io.galop.ops.audit;

import io.galop.node.Acts;
import io.galop.ops.access.Login;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * What the audit log says of an act. An act of an operator has two lines of the same {@code id}:
 * one before it is done, and one with what came of it.
 *
 * @param json its fields
 */
public record AuditLine(JsonObject json) {
  /** Of a line that is written before the act. */
  static final String BEGUN = "begun";

  static final String REFUSED = "refused";

  private static final String OUTCOME = "outcome";

  /** Of a text that is written whole. */
  static final int MOST_CHARACTERS = 256;

  private static final int HASH_DIGITS = 16;

  /**
   * Somebody is about to act.
   *
   * @param mostCharacters of a parameter that is written whole
   */
  static AuditLine begun(
      Login login, String action, Map<String, String> parameters, int mostCharacters) {
    return new AuditLine(of(login, action, parameters, mostCharacters).put(OUTCOME, BEGUN));
  }

  /**
   * He may not.
   *
   * @param more how many of his have no line of their own, since the last that has
   */
  static AuditLine refused(Login login, String action, String why, long more) {
    JsonObject json =
        of(login, action, Map.of(), MOST_CHARACTERS).put(OUTCOME, REFUSED).put("why", why);
    return new AuditLine(more == 0 ? json : json.put("more", more));
  }

  /** The same with more of what is known by now. */
  AuditLine noting(Map<String, String> more) {
    JsonObject noted = json.copy();
    more.forEach((name, value) -> noted.put(name, shortened(value, MOST_CHARACTERS)));
    return new AuditLine(noted);
  }

  /** What came of the act that this line has begun. */
  AuditLine ended(int status, String why) {
    JsonObject ended = json.copy().put("time", now());
    ended.put(OUTCOME, status < 400 ? "done" : "failed").put("status", status);
    return new AuditLine(why.isEmpty() ? ended : ended.put("why", shortened(why, MOST_CHARACTERS)));
  }

  /** Of an act that came on another way. */
  static AuditLine of(Acts.Act act) {
    return new AuditLine(
        json(act.action(), act.parameters(), MOST_CHARACTERS)
            .put("login", act.by())
            .put(OUTCOME, act.outcome()));
  }

  private static JsonObject of(
      Login login, String action, Map<String, String> parameters, int mostCharacters) {
    JsonObject json = json(action, parameters, mostCharacters).put("login", login.how());
    if (login.isKnown()) {
      json.put("operator", login.operator());
    }
    return json.put("address", login.address());
  }

  private static JsonObject json(
      String action, Map<String, String> parameters, int mostCharacters) {
    JsonObject given = new JsonObject();
    new TreeMap<>(parameters)
        .forEach((name, value) -> given.put(name, shortened(value, mostCharacters)));
    return new JsonObject()
        .put("time", now())
        .put("id", UUID.randomUUID().toString())
        .put("action", action)
        .put("parameters", given);
  }

  private static String now() {
    return Instant.now().truncatedTo(ChronoUnit.MILLIS).toString();
  }

  /** Two long texts of the same beginning are told apart by a part of their SHA-256. */
  private static String shortened(String text, int mostCharacters) {
    return text.length() > mostCharacters
        ? text.substring(0, mostCharacters)
            + "… sha256:"
            + TextHash.sha256(text).substring(0, HASH_DIGITS)
        : text;
  }

  /** As it is counted. */
  String outcome() {
    return json.getString(OUTCOME);
  }

  @Override
  public String toString() {
    return json.encode();
  }
}
