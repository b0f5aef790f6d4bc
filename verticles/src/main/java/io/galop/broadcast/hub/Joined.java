package io.galop.broadcast.hub;

import io.galop.broadcast.ring.Entry;
import io.galop.record.Position;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The feed loop's answer to a {@link io.galop.broadcast.feed.Join}, valid as of the moment it was
 * posted: what is dispatched to the Hub before it is not after the cut, what is dispatched
 * afterwards is.
 *
 * @param complete of a resume: whether nothing is missing
 * @param entries to be sent first
 * @param fromSequence from where in the ring to go on
 * @param cut where in the ring the present began when this was answered
 * @param seen what the browser has or is sent with {@code entries}, by shard
 * @param heads of all shards that the filter touches, at the cut
 * @param partial of a snapshot: whether topics may be missing that have not changed for long
 * @param release gives back the memory that the entries were charged for; may be called again
 */
public record Joined(
    Optional<Boolean> complete,
    List<Entry> entries,
    long fromSequence,
    long cut,
    Map<Integer, Position> seen,
    List<Position> heads,
    boolean partial,
    Runnable release) {}
