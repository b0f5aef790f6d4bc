/**
 * A record as an MQTT PUBLISH, worked out once and written for any number of clients. Knows neither
 * connections nor subscriptions; {@code sockjs} keeps it with the message that it is made of,
 * {@code mqtt} writes it. On the event loop of whoever writes.
 */
@NullMarked
package io.galop.broadcast.packet;

import org.jspecify.annotations.NullMarked;
