/**
 * Who may come to the management port: its routes and what each is, operators and their logins,
 * pages of other sites. Judges on the event loop of the port; hashes are read on the thread of the
 * watch.
 */
@NullMarked
package io.galop.ops.access;

import org.jspecify.annotations.NullMarked;
