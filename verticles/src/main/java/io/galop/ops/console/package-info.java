/**
 * The operators' console: its files, its feed and the hour that it plots. All on the event loop of
 * the management port; what the node has counted is read on the thread of the port's readings. Only
 * the routes of the management port call this package.
 */
@NullMarked
package io.galop.ops.console;

import org.jspecify.annotations.NullMarked;
