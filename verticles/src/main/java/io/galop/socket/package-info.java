/**
 * The sockets that a node listens on: where each is opened, the address that it really has, and
 * handlers that look at bytes before Vert.x does. The handlers run on the event loop of their
 * connection; {@link io.galop.socket.Listeners} is safe to call from any thread. Stages and the
 * start of a cluster use it.
 */
@NullMarked
package io.galop.socket;

import org.jspecify.annotations.NullMarked;
