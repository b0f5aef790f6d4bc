/**
 * The keys of alarms: rules with their conditions, and whom to notify. Immutable records, made by
 * the thread that starts the process and read by any; the alarms use them.
 */
@NullMarked
package io.galop.config.alarm;

import org.jspecify.annotations.NullMarked;
