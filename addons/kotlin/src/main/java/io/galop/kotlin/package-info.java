/** The Kotlin compiler, for scripts and verticles alike. */
package io.galop.kotlin;
