/**
 * How late records are at each stage, and by how much the clocks of nodes differ. Every stage tells
 * it, from any thread; {@code io.galop.ops} shows it. It knows no stage, no bus and no timer.
 */
@NullMarked
package io.galop.latency;

import org.jspecify.annotations.NullMarked;
