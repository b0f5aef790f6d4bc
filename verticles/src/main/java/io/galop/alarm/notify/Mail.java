package io.galop.alarm.notify;

import io.galop.config.alarm.MailConfig;
import io.galop.vertx.Loop;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.ext.mail.LoginOption;
import io.vertx.ext.mail.MailClient;
import io.vertx.ext.mail.MailMessage;
import io.vertx.ext.mail.StartTLSOptions;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/** Tells people by mail. The login is read for each mail, so that it may be exchanged. */
final class Mail implements TargetWay {
  private final Loop loop;
  private final MailConfig config;

  Mail(Loop loop, MailConfig config) {
    this.loop = loop;
    this.config = config;
  }

  @Override
  public Future<Void> send(JsonObject message) {
    return loop.bring(
        loop.vertx()
            .executeBlocking(() -> config.login().readPassword())
            .compose(password -> send(message, password)));
  }

  private Future<Void> send(JsonObject message, String password) {
    MailClient client = MailClient.create(loop.vertx(), options(password));
    MailMessage mail =
        new MailMessage()
            .setFrom(config.from())
            .setTo(config.to())
            .setSubject(subject(message))
            .setText(text(message));
    Future<Void> sent = client.sendMail(mail).mapEmpty();
    return loop.within(config.timeoutMs(), "the mail server's answer", sent)
        .onComplete(done -> client.close()); // not waited for: it waits for a server that is silent
  }

  private io.vertx.ext.mail.MailConfig options(String password) {
    io.vertx.ext.mail.MailConfig options =
        new io.vertx.ext.mail.MailConfig()
            .setHostname(config.host())
            .setPort(config.port())
            .setSsl(config.encryption() == MailConfig.Encryption.TLS)
            .setStarttls(
                config.encryption() == MailConfig.Encryption.STARTTLS
                    ? StartTLSOptions.REQUIRED
                    : StartTLSOptions.DISABLED)
            .setLogin(config.login().user().isEmpty() ? LoginOption.DISABLED : LoginOption.REQUIRED)
            .setMaxPoolSize(1)
            .setKeepAlive(false);
    options
        .setConnectTimeout((int) config.timeoutMs())
        .setIdleTimeout((int) config.timeoutMs())
        .setIdleTimeoutUnit(TimeUnit.MILLISECONDS);
    if (!config.login().user().isEmpty()) {
      options.setUsername(config.login().user()).setPassword(password);
    }
    if (!config.tls().caFile().isEmpty()) {
      options.setTrustOptions(new PemTrustOptions().addCertPath(config.tls().caFile()));
    }
    return options;
  }

  /** One line: what an alarm says may hold line breaks, which would be headers of their own. */
  private static String subject(JsonObject message) {
    JsonArray alarms = message.getJsonArray("alarms");
    JsonObject first = alarms.getJsonObject(0);
    int others = alarms.size() + message.getInteger("left") - 1;
    String more = others == 0 ? "" : " and " + others + " more";
    return "[%s] %s%s"
        .formatted(first.getString("severity"), first.getString("text"), more)
        .replaceAll("\\p{Cntrl}", " ");
  }

  private static String text(JsonObject message) {
    StringBuilder text = new StringBuilder();
    for (Object one : message.getJsonArray("groups")) {
      JsonObject group = (JsonObject) one;
      text.append(
          "%s (%s): %d alarms%n"
              .formatted(
                  group.getString("rule"), group.getString("severity"), group.getInteger("count")));
    }
    text.append('\n');
    for (Object one : message.getJsonArray("alarms")) {
      JsonObject alarm = (JsonObject) one;
      text.append(
          "%s  %s  %s  since %s%s%n  %s%n"
              .formatted(
                  alarm.getString("severity"),
                  alarm.getString("state"),
                  alarm.getString("id"),
                  Instant.ofEpochMilli(alarm.getLong("since")),
                  alarm.getBoolean("repeated") ? "  (maybe told before)" : "",
                  alarm.getString("text")));
    }
    if (message.getInteger("left") > 0) {
      text.append("and %d more%n".formatted(message.getInteger("left")));
    }
    return text.append("\nTold by node ").append(message.getString("node")).append('\n').toString();
  }

  @Override
  public void close() {
    // Each mail has a client of its own, which it closes.
  }
}
