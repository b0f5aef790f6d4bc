/** Viewers that never read, beside others that do. */
package io.galop.loadtest.stalled;
