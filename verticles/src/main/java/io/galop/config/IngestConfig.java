package io.galop.config;

/** Taking records in. */
public record IngestConfig(@Doc("The limits that every record has to keep.") LimitsConfig limits) {}
