/**
 * The internals of Vert.x and Netty that Galop uses, behind methods that say what they are for: an
 * event loop and its context, buffers, memory outside the heap, the channel of a connection. They
 * may change with each version of Vert.x, so no other package imports them. Any package may call
 * this one, on the thread that each class names; it depends on no other.
 */
@NullMarked
package io.galop.vertx;

import org.jspecify.annotations.NullMarked;
