/** What is the same for scripts and for verticles of users, in whatever language. */
@NullMarked
package io.galop.guest;

import org.jspecify.annotations.NullMarked;
