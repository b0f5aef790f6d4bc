/**
 * Runs scripts and changes them while records flow: a new version is tried beside the old one,
 * takes over when it does no worse, and whatever hangs or fails is suspended. Each script has its
 * thread; a watchdog looks on from another.
 */
@NullMarked
package io.galop.enrich.script.swap;

import org.jspecify.annotations.NullMarked;
