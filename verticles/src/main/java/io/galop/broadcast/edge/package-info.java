/**
 * Who may come in: what is known of a browser before it has a session, and what it is allowed.
 * Every request below {@code /live} passes an {@link io.galop.broadcast.edge.Edge} first and
 * carries its {@link io.galop.broadcast.edge.Admission} from then on.
 */
@NullMarked
package io.galop.broadcast.edge;

import org.jspecify.annotations.NullMarked;
