/**
 * The sockets that a node listens on: what they really have, and what looks at bytes before Vert.x.
 */
package io.galop.bus.socket;
