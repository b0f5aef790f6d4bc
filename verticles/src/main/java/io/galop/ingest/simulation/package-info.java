/**
 * A made-up race day with sensors, for the demo and for trying out. Pure: the door that uses it
 * asks for what is due at a time.
 */
package io.galop.ingest.simulation;
