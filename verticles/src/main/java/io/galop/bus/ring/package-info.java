/**
 * A ring in a file that two processes of one machine map: records one way, rejections the other.
 * Its layout stands in docs/protocol.md; what moves in it are Agrona's ring buffers.
 */
package io.galop.bus.ring;
