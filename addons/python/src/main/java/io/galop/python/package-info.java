/** Python as scripts and verticles alike have it. */
package io.galop.python;
