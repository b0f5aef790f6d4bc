/**
 * The chain of steps between door and owner: look-ups, calculations, scripts, dropping. Recognises
 * an id that came before, keeps the order of each topic, and hands on what came out with the raw
 * record's answer tied to it. A shard runs on one event loop; scripts and stores have threads of
 * their own.
 */
@NullMarked
package io.galop.enrich;

import org.jspecify.annotations.NullMarked;
