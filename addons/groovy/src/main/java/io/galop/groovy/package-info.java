/** The Groovy compiler, for scripts and verticles alike. */
@NullMarked
package io.galop.groovy;

import org.jspecify.annotations.NullMarked;
