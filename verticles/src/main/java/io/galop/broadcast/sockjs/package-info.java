/**
 * SockJS 0.3 for any number of endpoints: a {@link io.galop.broadcast.sockjs.Transport} is a
 * browser's connection as whoever writes to it sees it, a {@link
 * io.galop.broadcast.sockjs.Connection} hears what the browser says.
 */
@NullMarked
package io.galop.broadcast.sockjs;

import org.jspecify.annotations.NullMarked;
