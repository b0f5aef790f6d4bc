/**
 * Shows records to browsers: the endpoint, and the conversation with each Subscriber. {@code feed}
 * follows the owners, {@code hub} finds who gets a record, {@code write} writes it;
 * docs/protocol.md is the protocol with the browser. Runs on the event loop of the browser's
 * session.
 */
@NullMarked
package io.galop.broadcast;

import org.jspecify.annotations.NullMarked;
