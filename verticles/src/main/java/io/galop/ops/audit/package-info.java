/**
 * The audit log: what operators did to the node, and who and when. Lines are made on the event loop
 * of the management port or by whoever tells of an act, and written on a thread of their own.
 */
@NullMarked
package io.galop.ops.audit;

import org.jspecify.annotations.NullMarked;
