/** The Kotlin compiler, for scripts and verticles alike. */
@NullMarked
package io.galop.kotlin;

import org.jspecify.annotations.NullMarked;
