/**
 * Verticles in Kotlin, compiled when they are deployed. Each instance runs on a thread of its own.
 */
@NullMarked
package io.galop.extend.kotlin;

import org.jspecify.annotations.NullMarked;
