/** The peer that is written in Java: the stock Vert.x bridge in a process of its own. */
@NullMarked
package io.galop.loadtest.peers;

import org.jspecify.annotations.NullMarked;
