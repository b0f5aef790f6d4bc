/**
 * What nodes say of themselves during a run: their meters, their garbage collections, their
 * processor time, as series. Sampled on one thread.
 */
package io.galop.loadtest.watch;
