package io.galop.cluster;

import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Highest random weight hashing (Thaler and Ravishankar, 1998): when a member comes or goes only
 * the shards that it gains or held change hands, and no table has to be agreed on.
 */
final class Rendezvous {
  private Rendezvous() {}

  static Optional<Member> owner(int shard, Stream<Member> members) {
    return members.max(
        Comparator.<Member>comparingLong(m -> weight(shard, m.name())).thenComparing(Member::name));
  }

  /**
   * FNV-1a over the name, then the finisher of SplitMix64 so that near shards weigh differently.
   */
  private static long weight(int shard, String name) {
    long hash = 0xcbf29ce484222325L;
    for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ (b & 0xff)) * 0x100000001b3L;
    }
    hash += shard * 0x9e3779b97f4a7c15L;
    hash = (hash ^ (hash >>> 30)) * 0xbf58476d1ce4e5b9L;
    hash = (hash ^ (hash >>> 27)) * 0x94d049bb133111ebL;
    return (hash ^ (hash >>> 31)) >>> 1;
  }
}
