/**
 * What the management port answers for all nodes: reports are asked of each, joined by pure
 * functions, and who did not answer is named. Questions and answers are on the event loop of the
 * port; what is large is read, joined and encoded on a worker thread.
 */
@NullMarked
package io.galop.ops.cluster;

import org.jspecify.annotations.NullMarked;
