package io.galop.config.alarm;

/** A way to tell somebody. */
public sealed interface AlarmWayConfig permits MailConfig, WebhookConfig {}
