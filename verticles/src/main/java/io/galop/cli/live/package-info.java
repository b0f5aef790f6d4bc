/**
 * {@code galop subscribe}: watches a running node as a browser does, over a websocket, and comes
 * back with its Positions. Runs on the event loop of its own small Vert.x.
 */
@NullMarked
package io.galop.cli.live;

import org.jspecify.annotations.NullMarked;
