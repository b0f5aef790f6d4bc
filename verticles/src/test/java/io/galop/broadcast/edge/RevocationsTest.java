package io.galop.broadcast.edge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.ConfigLoader;
import io.galop.config.broadcast.TokenConfig;
import io.galop.jvm.Moment;
import io.galop.record.View;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whose tokens are refused, for how long, and what is left of it on disk. */
class RevocationsTest {
  private static final long NOW = 1_800_000_000_000L;

  private static final Moment AT = at(0, 0);

  /** So long after the first by each clock. */
  private static Moment at(long wallMs, long steadyMs) {
    return new Moment(NOW + wallMs, -7_000 + steadyMs);
  }

  private static TokenConfig config(String... settings) {
    return ConfigLoader.load(Optional.empty(), Map.of(), List.of(settings), Map.of())
        .broadcast()
        .token();
  }

  private static Viewer viewer(String subject, long issuedMs) {
    return new Viewer(subject, List.of(), View.WHOLE, issuedMs, 0, Long.MAX_VALUE, "", "");
  }

  @Test
  void refusesWhatWasIssuedBefore() {
    Revocations revocations = new Revocations(config("broadcast.token.leewaySeconds=2"));
    assertFalse(revocations.revokes(viewer("anna", Viewer.UNKNOWN)));
    assertTrue(revocations.add("anna", NOW, AT));
    assertTrue(revocations.revokes(viewer("anna", NOW - 1)));
    assertTrue(revocations.revokes(viewer("anna", NOW + 1_999)), "the issuer's clock may be ahead");
    assertFalse(revocations.revokes(viewer("anna", NOW + 2_000)));
    assertTrue(revocations.revokes(viewer("anna", Viewer.UNKNOWN)), "it does not say when");
    assertFalse(revocations.revokes(viewer("eve", NOW - 1)));
    assertFalse(revocations.add("anna", NOW - 5_000, AT), "known already");
    assertTrue(revocations.revokes(viewer("anna", NOW - 1)), "the later moment counts");
  }

  @Test
  void forgetsWhoseTokensHaveAllExpired() {
    Revocations revocations = new Revocations(config("broadcast.token.maxLifeSeconds=3600"));
    revocations.add("anna", NOW, AT);
    assertFalse(revocations.forget(at(3_600_000, 3_600_000)));
    assertTrue(revocations.revokes(viewer("anna", NOW - 1)));
    assertTrue(revocations.forget(at(3_700_000, 3_700_000)));
    assertEquals(0, revocations.size());
    assertFalse(
        revocations.add("anna", NOW, at(3_700_000, 3_700_000)), "another node still has it");
    Revocations kept = new Revocations(config());
    kept.add("anna", NOW, AT);
    assertFalse(kept.forget(at(1L << 50, 1L << 50)), "nobody knows how long tokens live");
  }

  @Test
  void forgetsNothingForAClockThatIsAheadForAWhile() {
    Revocations revocations = new Revocations(config("broadcast.token.maxLifeSeconds=3600"));
    revocations.add("anna", NOW, AT);
    Moment ahead = at(86_400_000, 60_000);
    assertFalse(revocations.forget(ahead));
    assertEquals(0, revocations.behind("", 9, ahead.wallMs()).size(), "others have forgotten it");
    assertEquals(
        new Revocations(config()).fingerprint(NOW), revocations.fingerprint(ahead.wallMs()));
    assertTrue(revocations.revokes(viewer("anna", NOW - 1)));
    assertEquals(1, revocations.behind("", 9, NOW + 120_000).size(), "the clock is right again");
    assertFalse(revocations.forget(at(120_000, 3_700_000)), "its tokens are good by the clock");
    assertTrue(revocations.forget(at(3_700_000, 3_700_000)));
  }

  @Test
  void keepsWhatItHadSavedThoughTheClockIsAheadAtTheStart(@TempDir Path directory)
      throws Exception {
    RevocationFile file = new RevocationFile(directory.toString());
    file.write(Map.of("anna", NOW));
    Revocations read = new Revocations(config("broadcast.token.maxLifeSeconds=7200"));
    file.readInto(read, at(86_400_000, 0));
    assertFalse(read.forget(at(86_400_000, 1_000)));
    assertTrue(read.revokes(viewer("anna", NOW - 1)));
    assertFalse(read.forget(at(4_000_000, 4_000_000)), "the clock is right again");
    assertTrue(read.forget(at(7_300_000, 7_300_000)));
  }

  @Test
  void forgetsSoonAfterAStartWhatWasOverLongAgo(@TempDir Path directory) throws Exception {
    RevocationFile file = new RevocationFile(directory.toString());
    file.write(Map.of("anna", NOW));
    Revocations read = new Revocations(config("broadcast.token.maxLifeSeconds=7200"));
    file.readInto(read, at(86_400_000, 0));
    assertTrue(read.forget(at(86_400_000 + 3_601_000, 3_601_000)), "an hour later");
  }

  @Test
  void takesNoMoreThanItHasRoomFor() {
    Revocations revocations = new Revocations(config());
    for (int i = 0; i < Revocations.MOST; i++) {
      revocations.add("s" + i, NOW, AT);
    }
    assertThrows(IllegalStateException.class, () -> revocations.add("more", NOW, AT));
    assertTrue(revocations.add("s7", NOW + 1, AT));
  }

  @Test
  void nodesThatKnowTheSameHaveTheSameFingerprint() {
    Revocations one = new Revocations(config());
    Revocations other = new Revocations(config());
    one.add("a", NOW, AT);
    one.add("b", NOW + 1, AT);
    other.add("b", NOW + 1, AT);
    assertNotEquals(one.fingerprint(NOW), other.fingerprint(NOW));
    assertEquals("b", one.behind("a", 9, NOW).get(0).getKey());
    assertEquals(1, one.behind("", 1, NOW).size());
    one.behind("", 9, NOW).forEach(entry -> other.add(entry.getKey(), entry.getValue(), AT));
    assertEquals(one.fingerprint(NOW), other.fingerprint(NOW));
  }

  @Test
  void isThereAgainAfterARestart(@TempDir Path directory) throws Exception {
    String dataDir = directory.resolve("new").toString();
    RevocationFile file = new RevocationFile(dataDir);
    Revocations none = new Revocations(config());
    file.readInto(none, AT);
    assertEquals(0, none.size());
    file.write(Map.of("anna \"ä\"", NOW, "eve", NOW + 1));
    Revocations read = new Revocations(config());
    new RevocationFile(dataDir).readInto(read, AT);
    assertEquals(Map.of("anna \"ä\"", NOW, "eve", NOW + 1), read.all());
    Path saved = directory.resolve("new").resolve("disconnected-subjects.json");
    for (String broken : List.of("", "{\"anna\":", "{\"anna\":\"x\"}", "{\"anna\":null}", "[]")) {
      Files.writeString(saved, broken);
      String why =
          assertThrows(
                  IllegalArgumentException.class,
                  () -> file.readInto(new Revocations(config()), AT))
              .getMessage();
      assertTrue(why.startsWith("node.dataDir holds '" + saved + "'"), why);
    }
  }
}
