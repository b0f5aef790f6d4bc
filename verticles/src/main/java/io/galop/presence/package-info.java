/**
 * Who watches what, over all nodes of the cluster and the relays that they dial: counted where the
 * viewers are, at the moment somebody asks, and put together by whoever asks. Nothing is kept but
 * when somebody watched last. What a question asks belongs to the asker's event loop.
 */
@NullMarked
package io.galop.presence;

import org.jspecify.annotations.NullMarked;
