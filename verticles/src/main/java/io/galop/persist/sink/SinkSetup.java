package io.galop.persist.sink;

import io.galop.config.persist.SamplingConfig;
import io.galop.config.persist.SinkConfig;
import io.galop.ledger.Book;
import io.galop.persist.log.Log;
import io.galop.persist.store.Store;
import java.util.function.BooleanSupplier;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;

/**
 * What a sink works with.
 *
 * @param store closed by whoever made it, after the sink
 * @param sampling what is to be kept of what is read from now on; from any thread
 * @param refillBytes how much of the Log's end a store gets that holds nothing of it; {@link
 *     Long#MAX_VALUE} for all
 * @param isLiveLate whether the live feed lacks what the stores take; from any thread
 * @param book of the sink's thread, for what it reads and what becomes of it
 * @param cursorBook of the sink's thread, for what its cursor passes
 * @param giveWayBytes of which the store gives way as long as it is less behind
 * @param clock how late it is for what is deleted by age
 */
public record SinkSetup(
    String name,
    Log log,
    Store store,
    SinkConfig config,
    Supplier<SamplingConfig> sampling,
    DeadLetters deadLetters,
    long refillBytes,
    BooleanSupplier isLiveLate,
    Book book,
    Book cursorBook,
    long giveWayBytes,
    LongUnaryOperator clock) {}
