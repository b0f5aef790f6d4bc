/**
 * Starts what is measured, a node or a peer, on free ports of the loopback interface, and stops it
 * again.
 */
@NullMarked
package io.galop.loadtest.targets;

import org.jspecify.annotations.NullMarked;
