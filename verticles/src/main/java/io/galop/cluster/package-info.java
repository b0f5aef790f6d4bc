/**
 * The nodes of a cluster and who owns which shard. {@link io.galop.cluster.Cluster} is all that
 * others need; {@link io.galop.cluster.ClusterStart} starts Vert.x and joins. This package alone
 * uses Hazelcast. Starting blocks and belongs on the main thread; the view of the cluster may be
 * read from any thread, and a listener is called on the context that registered it.
 */
@NullMarked
package io.galop.cluster;

import org.jspecify.annotations.NullMarked;
