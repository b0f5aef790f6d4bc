/**
 * Opens the doors that the configuration names and gives each its {@link
 * io.galop.ingest.intake.Intake}. Doors are in packages below, one for each kind, except that
 * {@code ingest.bus} has the bus door and the bridge; none imports another. Wiring only, on the
 * event loop of the verticle.
 */
@NullMarked
package io.galop.ingest;

import org.jspecify.annotations.NullMarked;
