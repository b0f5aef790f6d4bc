/**
 * Starts what is measured, a node or a peer, on free ports of the loopback interface, and stops it
 * again.
 */
package io.galop.loadtest.targets;
