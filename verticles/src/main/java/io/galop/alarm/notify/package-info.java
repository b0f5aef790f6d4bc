/**
 * Tells people and programs of alarms that nobody has acknowledged: gathers them, sends them by
 * webhook and mail, tries again. On the loop of alarms; only the alarms call it.
 */
@NullMarked
package io.galop.alarm.notify;

import org.jspecify.annotations.NullMarked;
