/**
 * What goes between nodes: members of the cluster and owners of shards, and one lane for each kind
 * of message with its codec, its deadline and its answer. The only package that touches the event
 * bus and Hazelcast. A lane answers on the event loop of the caller; changes of membership arrive
 * there too.
 */
package io.galop.bus;
