/**
 * Viewers by the thousand: every transport, straight on epoll, each checking that it misses
 * nothing. One thread for each crowd.
 */
package io.galop.loadtest.client;
