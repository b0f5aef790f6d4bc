/**
 * {@code galop subscribe}: watches a running node as a browser does, over a websocket, and comes
 * back with its Positions. Runs on the event loop of its own small Vert.x.
 */
package io.galop.cli.live;
