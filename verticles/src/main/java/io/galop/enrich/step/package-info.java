/**
 * What every step of the chain is written against: the step itself, the topics that it is for, the
 * dead letter of a record that it cannot take, and the stage's meters. The chain calls a step on
 * the event loop of its shard.
 */
@NullMarked
package io.galop.enrich.step;

import org.jspecify.annotations.NullMarked;
