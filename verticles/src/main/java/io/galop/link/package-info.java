/**
 * The border between two zones: a relay takes its feed from {@link io.galop.link.Links}, which
 * nodes of the secure zone open as {@link io.galop.link.UplinkVerticle}. Frames are those of {@code
 * bus}, each a message of a websocket. Where a relay may ask nothing, its {@link
 * io.galop.link.Brought} answers its feed from what {@link io.galop.link.Bringing} has sent. A
 * node's links live on one event loop; {@code Links} may be asked from any thread. The start of a
 * node uses it.
 */
@NullMarked
package io.galop.link;

import org.jspecify.annotations.NullMarked;
