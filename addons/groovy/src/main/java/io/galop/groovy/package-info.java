/** The Groovy compiler, for scripts and verticles alike. */
package io.galop.groovy;
