/**
 * What a node can say of one record, for an operator who asks where it is: in memory, in the
 * stores. Reports that other nodes may ask for; rare, bounded in records and in time. Memory is
 * searched on a thread of its own, stores answer from theirs.
 */
@NullMarked
package io.galop.persist.explain;

import org.jspecify.annotations.NullMarked;
