/**
 * MQTT 3.1.1 and 5 for viewers: a client's subscriptions, what it is sent, and the session with
 * which it comes back. Knows SockJS's {@link io.galop.broadcast.sockjs.Transport} and bytes, and
 * registers by an {@link io.galop.broadcast.mqtt.MqttAudience}, which {@code broadcast} implements.
 * All of a connection on its event loop.
 */
@NullMarked
package io.galop.broadcast.mqtt;

import org.jspecify.annotations.NullMarked;
