/**
 * A simulated cluster around one shard, in one thread and from a seed: the product's rules of
 * ownership, epoch log, memory and commit tracking run against a clock, a network and disks that do
 * what is worst. See {@code docs/testing.md}.
 */
package io.galop.persist.simulation;
