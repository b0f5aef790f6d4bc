/**
 * Opens the doors that the configuration names and gives each its {@link
 * io.galop.ingest.intake.Intake}. Each kind of door has a package of its own; none knows another.
 * Wiring only, on the event loop of the verticle.
 */
package io.galop.ingest;
