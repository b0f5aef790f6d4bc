/** Files that a process needs only while it runs. */
package io.galop.scratch;
