/**
 * The archive with a bucket of an S3-compatible object store as the place of its finished files. On
 * the one thread of the store, whose client blocks; {@code persist} alone opens it.
 */
@NullMarked
package io.galop.persist.s3;

import org.jspecify.annotations.NullMarked;
