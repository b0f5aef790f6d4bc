/**
 * What the door and the store of Kafka share: the properties of its clients. From any thread; read
 * from files, so never on an event loop.
 */
@NullMarked
package io.galop.kafka;

import org.jspecify.annotations.NullMarked;
