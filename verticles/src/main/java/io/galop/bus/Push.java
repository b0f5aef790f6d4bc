package io.galop.bus;

import io.galop.record.Batch;
import io.galop.record.Position;

/**
 * A placed Batch for a broadcast node. The reply to it is the node's credit for more. An empty
 * Batch is a sign of life, sent about every second.
 *
 * @param session of the {@link Follow} that asked for it
 * @param after the Position that the Batch follows on without a hole
 * @param head the newest Position of the shard when this was sent
 */
public record Push(long session, Position after, Position head, Batch batch) {}
