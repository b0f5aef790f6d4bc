/** Scripts in Kotlin, compiled when they are loaded. A script runs on one thread of its own. */
@NullMarked
package io.galop.enrich.script.kotlin;

import org.jspecify.annotations.NullMarked;
