/**
 * Who publishes, and how much each may: what a client shows is looked up in a list that is renewed
 * from disk. Shared by all doors and event loops of a node; all but {@link
 * io.galop.ingest.publisher.Visitor} is safe to call from any thread. Doors and the intake use it.
 */
@NullMarked
package io.galop.ingest.publisher;

import org.jspecify.annotations.NullMarked;
