package io.galop.broadcast.edge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.galop.config.ConfigLoader;
import io.galop.config.broadcast.TokenConfig;
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
    assertTrue(revocations.add("anna", NOW, NOW));
    assertTrue(revocations.revokes(viewer("anna", NOW - 1)));
    assertTrue(revocations.revokes(viewer("anna", NOW + 1_999)), "the issuer's clock may be ahead");
    assertFalse(revocations.revokes(viewer("anna", NOW + 2_000)));
    assertTrue(revocations.revokes(viewer("anna", Viewer.UNKNOWN)), "it does not say when");
    assertFalse(revocations.revokes(viewer("eve", NOW - 1)));
    assertFalse(revocations.add("anna", NOW - 5_000, NOW), "known already");
    assertTrue(revocations.revokes(viewer("anna", NOW - 1)), "the later moment counts");
  }

  @Test
  void forgetsWhoseTokensHaveAllExpired() {
    Revocations revocations = new Revocations(config("broadcast.token.maxLifeSeconds=3600"));
    revocations.add("anna", NOW, NOW);
    assertFalse(revocations.forget(NOW + 3_600_000));
    assertTrue(revocations.revokes(viewer("anna", NOW - 1)));
    assertTrue(revocations.forget(NOW + 3_700_000));
    assertEquals(0, revocations.size());
    assertFalse(revocations.add("anna", NOW, NOW + 3_700_000), "another node still has it");
    Revocations kept = new Revocations(config());
    kept.add("anna", NOW, NOW);
    assertFalse(kept.forget(Long.MAX_VALUE), "nobody knows how long tokens live");
  }

  @Test
  void takesNoMoreThanItHasRoomFor() {
    Revocations revocations = new Revocations(config());
    for (int i = 0; i < Revocations.MOST; i++) {
      revocations.add("s" + i, NOW, NOW);
    }
    assertThrows(IllegalStateException.class, () -> revocations.add("more", NOW, NOW));
    assertTrue(revocations.add("s7", NOW + 1, NOW));
  }

  @Test
  void nodesThatKnowTheSameHaveTheSameFingerprint() {
    Revocations one = new Revocations(config());
    Revocations other = new Revocations(config());
    one.add("a", NOW, NOW);
    one.add("b", NOW + 1, NOW);
    other.add("b", NOW + 1, NOW);
    assertNotEquals(one.fingerprint(), other.fingerprint());
    assertEquals("b", one.behind("a", 9).get(0).getKey());
    assertEquals(1, one.behind("", 1).size());
    one.behind("", 9).forEach(entry -> other.add(entry.getKey(), entry.getValue(), NOW));
    assertEquals(one.fingerprint(), other.fingerprint());
  }

  @Test
  void isThereAgainAfterARestart(@TempDir Path directory) throws Exception {
    String dataDir = directory.resolve("new").toString();
    RevocationFile file = new RevocationFile(dataDir);
    Revocations none = new Revocations(config());
    file.readInto(none, NOW);
    assertEquals(0, none.size());
    file.write(Map.of("anna \"ä\"", NOW, "eve", NOW + 1));
    Revocations read = new Revocations(config());
    new RevocationFile(dataDir).readInto(read, NOW);
    assertEquals(Map.of("anna \"ä\"", NOW, "eve", NOW + 1), read.all());
    Path saved = directory.resolve("new").resolve("disconnected-subjects.json");
    for (String broken : List.of("", "{\"anna\":", "{\"anna\":\"x\"}", "{\"anna\":null}", "[]")) {
      Files.writeString(saved, broken);
      String why =
          assertThrows(
                  IllegalArgumentException.class,
                  () -> file.readInto(new Revocations(config()), NOW))
              .getMessage();
      assertTrue(why.startsWith("node.dataDir holds '" + saved + "'"), why);
    }
  }
}
