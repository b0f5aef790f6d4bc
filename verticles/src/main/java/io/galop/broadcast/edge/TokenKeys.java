package io.galop.broadcast.edge;

import io.galop.config.broadcast.JwksConfig;
import io.galop.config.broadcast.TokenAlgorithm;
import io.galop.config.broadcast.TokenConfig;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/** The keys that tokens are verified with now, whoever reads them. Safe to use from any thread. */
final class TokenKeys {
  private volatile List<TokenAlgorithm> algorithms;
  private volatile KeySet now;
  private volatile BooleanSupplier reader = () -> false;

  private TokenKeys(List<TokenAlgorithm> algorithms, KeySet now) {
    this.algorithms = List.copyOf(algorithms);
    this.now = now;
  }

  /**
   * Those of a file, which stay, or none yet, where others will be put. Reads the file; blocks.
   *
   * @throws IllegalArgumentException if its key does not fit, beginning with its dotted path
   */
  static TokenKeys of(TokenConfig config) {
    if (config.jwks().isGiven()) {
      return new TokenKeys(config.jwks().algorithms(), KeySet.EMPTY);
    }
    VerifyKey one = VerifyKey.of("", config.algorithm(), TokenKey.read(config));
    return new TokenKeys(List.of(config.algorithm()), KeySet.ofOne(one));
  }

  /** Those of a set that was read. */
  static TokenKeys of(JwksConfig config, Jwks set) {
    return new TokenKeys(config.algorithms(), set.keys());
  }

  KeySet now() {
    return now;
  }

  /**
   * From now on these count, and no others.
   *
   * @return whether they are others than before
   */
  boolean put(KeySet next) {
    boolean isOther = !next.isSame(now);
    now = next;
    return isOther;
  }

  /**
   * From now on those of others count.
   *
   * @return whether they are others than before
   */
  boolean become(TokenKeys next) {
    algorithms = next.algorithms;
    return put(next.now);
  }

  /**
   * Who is told of a token whose key is not there, and says whether other keys are on their way.
   */
  void onUnknown(BooleanSupplier listener) {
    reader = listener;
  }

  /** A token's key is not there; whether other keys are on their way. */
  boolean areOthersComing() {
    return reader.getAsBoolean();
  }

  /**
   * The algorithm that a token's header names, if it is one of those that count.
   *
   * @throws TokenRefused if it is not
   */
  TokenAlgorithm algorithm(Object named) throws TokenRefused {
    for (TokenAlgorithm one : algorithms) {
      if (one.word().equals(named)) {
        return one;
      }
    }
    String known =
        algorithms.stream().map(TokenAlgorithm::word).collect(Collectors.joining(" or "));
    throw TokenRefused.invalid("the token must be signed with " + known);
  }
}
