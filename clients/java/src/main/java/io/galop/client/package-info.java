/**
 * Watches a Galop feed from a program in Java, and asks for its history. {@link
 * io.galop.client.GalopClient} is where to begin; docs/clients.md shows it.
 *
 * <p>It speaks the protocol of {@code /live} over the JDK's WebSocket and shares no code with the
 * server. One thread of its own ({@code galop-client}) does all that concerns the connection;
 * records are handed over by an executor of the program's choice. Programs may call everything
 * public from any thread.
 */
@NullMarked
package io.galop.client;

import org.jspecify.annotations.NullMarked;
