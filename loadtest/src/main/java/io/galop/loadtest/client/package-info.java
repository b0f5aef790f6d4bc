/**
 * Viewers by the thousand: every transport, straight on epoll, each checking that it misses
 * nothing. One thread for each crowd.
 */
@NullMarked
package io.galop.loadtest.client;

import org.jspecify.annotations.NullMarked;
