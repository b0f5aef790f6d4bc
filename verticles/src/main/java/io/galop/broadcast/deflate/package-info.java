/**
 * Compression of websockets (RFC 7692) without context takeover: what many connections share is
 * compressed once, and no connection has a state of its own.
 */
@NullMarked
package io.galop.broadcast.deflate;

import org.jspecify.annotations.NullMarked;
