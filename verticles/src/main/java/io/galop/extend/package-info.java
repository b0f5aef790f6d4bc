/**
 * Verticles of the user's own: what they are given ({@link io.galop.extend.GalopApi}), how they are
 * deployed, and the languages ({@link io.galop.extend.HostedFactory}) that they are written in.
 */
@NullMarked
package io.galop.extend;

import org.jspecify.annotations.NullMarked;
