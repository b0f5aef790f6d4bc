/**
 * The kafka door: topics of Kafka that are consumed in a group. Each source has a thread of its own
 * that polls, makes records and commits; it hands records to the event loop of its {@link
 * io.galop.ingest.intake.Intake}, and gets back what became of them. {@code ingest} alone opens the
 * door.
 */
@NullMarked
package io.galop.ingest.kafka;

import org.jspecify.annotations.NullMarked;
