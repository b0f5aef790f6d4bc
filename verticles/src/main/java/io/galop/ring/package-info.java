/**
 * A ring in a file that two processes of one machine map: records one way, rejections the other.
 * Its layout stands in docs/protocol.md; what moves in it are Agrona's ring buffers. One thread
 * reads a ring and one writes it; the tcp doors' neighbour in {@code ingest} reads, and programs
 * that publish write.
 */
@NullMarked
package io.galop.ring;

import org.jspecify.annotations.NullMarked;
