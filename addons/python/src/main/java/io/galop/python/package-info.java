/** Python as scripts and verticles alike have it. */
@NullMarked
package io.galop.python;

import org.jspecify.annotations.NullMarked;
