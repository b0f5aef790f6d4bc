/** What is the same for scripts and for verticles of users, in whatever language. */
package io.galop.guest;
