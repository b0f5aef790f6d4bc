package io.galop.bus;

import io.galop.record.Batch;

/**
 * A Batch with its place among those of its sender.
 *
 * @param stream names the sender and its present attempt to be heard
 * @param number from 0, without a hole
 */
record SequencedBatch(long stream, long number, Batch batch) {}
