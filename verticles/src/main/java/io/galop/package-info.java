/**
 * Starts a process: the commands of the jar, and a node with its verticles in the order in which
 * they depend on one another. Also the HTTP server that all roles share, its limits on connections,
 * and its static files. Wiring only, on the main thread and the event loops of the HTTP server;
 * nothing else imports this package.
 */
@NullMarked
package io.galop;

import org.jspecify.annotations.NullMarked;
