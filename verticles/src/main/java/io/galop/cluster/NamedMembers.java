package io.galop.cluster;

import com.hazelcast.config.TcpIpConfig;
import java.util.List;

/**
 * Members by name: Hazelcast asks for them when it joins, and the member that leads a cluster, also
 * one that is alone, each time it looks for other clusters. That is on threads that may block.
 */
final class NamedMembers extends TcpIpConfig {
  private final MemberNames names;

  /**
   * @param policy everything but the members
   */
  NamedMembers(TcpIpConfig policy, MemberNames names) {
    this.names = names;
    setEnabled(policy.isEnabled());
    setConnectionTimeoutSeconds(policy.getConnectionTimeoutSeconds());
  }

  @Override
  public List<String> getMembers() {
    return names.addresses();
  }
}
