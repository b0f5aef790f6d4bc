package io.galop.ingest.poll;

import io.galop.cluster.Cluster;
import io.galop.cluster.Member;
import io.galop.config.Role;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * To which node a polled source falls: one of those that take records in, by the source's name. For
 * one event loop.
 */
final class SourceOwner {
  private static final Logger LOG = LoggerFactory.getLogger(SourceOwner.class);

  private final Cluster cluster;
  private final String source;
  private final PollMeters meters;
  private String askedBy = "";
  private long merges;
  private boolean isClosed;

  SourceOwner(Cluster cluster, String source, PollMeters meters) {
    this.cluster = cluster;
    this.source = source;
    this.meters = meters;
    this.merges = cluster.merges();
  }

  /**
   * Calls back when another node may have published what the source says, though the source may be
   * this node's again by the time that it looks. After {@link #close} it does not.
   */
  void onLost(Runnable lost) {
    cluster.onChange(
        members -> {
          if (isClosed) {
            return;
          }
          long mergesNow = cluster.merges();
          if (!isMine(among(members)) || mergesNow != merges) {
            lost.run();
          }
          merges = mergesNow;
        });
  }

  /** From now on a change of the cluster says and counts nothing. */
  void close() {
    isClosed = true;
  }

  /** Whether the source falls to this node. */
  boolean isMine() {
    return isMine(among(cluster.members()));
  }

  private String among(List<Member> members) {
    return Cluster.owner(Role.INGEST, source.hashCode(), members).map(Member::name).orElse("");
  }

  private boolean isMine(String node) {
    if (!node.equals(askedBy)) {
      askedBy = node;
      LOG.info("source {} is polled by node {}", source, node);
    }
    boolean mine = node.equals(cluster.self().name());
    if (mine && meters.asking.getAndSet(1) == 0) {
      meters.good();
    }
    return mine;
  }
}
