package io.galop.broadcast.edge;

import io.galop.config.broadcast.TokenAlgorithm;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The keys that tokens are verified with at a time. Immutable. */
final class KeySet {
  /** Before any were read. */
  static final KeySet EMPTY = new KeySet(List.of(), false);

  private final List<VerifyKey> keys;
  private final Set<String> ids;
  private final boolean fitsAnyKid;

  private KeySet(List<VerifyKey> keys, boolean fitsAnyKid) {
    this.keys = List.copyOf(keys);
    this.ids = keys.stream().map(VerifyKey::id).collect(Collectors.toUnmodifiableSet());
    this.fitsAnyKid = fitsAnyKid;
  }

  /** One key for all tokens, whatever they call it. */
  static KeySet ofOne(VerifyKey key) {
    return new KeySet(List.of(key), true);
  }

  static KeySet of(List<VerifyKey> keys) {
    return new KeySet(keys, false);
  }

  /**
   * The keys that a token may be signed with. One that names none may be signed with the only key
   * of its algorithm, if that is the only one.
   *
   * @param kid empty: the token names none
   */
  List<VerifyKey> candidates(TokenAlgorithm algorithm, String kid) {
    List<VerifyKey> ofAlgorithm =
        keys.stream().filter(key -> key.algorithm() == algorithm).toList();
    if (fitsAnyKid) {
      return ofAlgorithm;
    }
    if (kid.isEmpty()) {
      return ofAlgorithm.size() == 1 ? ofAlgorithm : List.of();
    }
    return ofAlgorithm.stream().filter(key -> key.kid().equals(kid)).toList();
  }

  /** Whether a key is there, by its {@link VerifyKey#id}. */
  boolean has(String id) {
    return ids.contains(id);
  }

  int size() {
    return keys.size();
  }

  /** Whether it has the same keys. */
  boolean isSame(KeySet other) {
    return ids.equals(other.ids);
  }
}
