package io.galop.ops.headroom;

import java.util.Map;

/**
 * What a node has counted at one moment, as its parts count it already: nothing is counted for this
 * alone.
 *
 * @param atNs when, by a clock that never steps
 * @param processCpuNs processor time of the process since its start
 * @param loopCpuNs the same of each event loop, by thread
 * @param writerCpuNs the same of the threads that write the Log, by thread
 * @param sinkCpuNs the same of threads that write to stores, by thread
 * @param scriptSeconds time that calls of scripts took since the start, on the event loops
 * @param fsyncSeconds time of writing and fsync since the start
 * @param fsyncs how many that were
 * @param records that the node has taken in or given a Position, whichever are more, since the
 *     start
 * @param sent records that viewers were sent, since the start
 * @param published records that registrations of viewers meant, since the start
 * @param waitingRecords of these, those that have not left
 * @param doorBytes that wait at the doors and nowhere behind them
 * @param enrichBytes that wait in enrichment, of the shard with most
 * @param logBytes that wait for the disk
 * @param storeLagSeconds how far the last store is behind
 * @param loopDelaySeconds how late the latest event loop is
 * @param livePart of the heap that is live after a collection
 */
public record LoadCounts(
    long atNs,
    long processCpuNs,
    Map<Long, Long> loopCpuNs,
    Map<Long, Long> writerCpuNs,
    Map<Long, Long> sinkCpuNs,
    double scriptSeconds,
    double fsyncSeconds,
    double fsyncs,
    double records,
    double sent,
    double published,
    double waitingRecords,
    double doorBytes,
    double enrichBytes,
    double logBytes,
    double storeLagSeconds,
    double loopDelaySeconds,
    double livePart) {}
