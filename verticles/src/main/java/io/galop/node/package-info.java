/**
 * A node as its parts see it: the configuration, the bus, and where a part says that it is not
 * ready, which port it took, and what it can report. Safe to call from any thread. Every stage is
 * given a {@link io.galop.node.Node}; nothing here knows a stage.
 */
@NullMarked
package io.galop.node;

import org.jspecify.annotations.NullMarked;
