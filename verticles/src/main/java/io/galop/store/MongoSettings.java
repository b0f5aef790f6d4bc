package io.galop.store;

import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCredential;
import com.mongodb.ServerAddress;
import io.galop.config.store.MongoAddress;
import io.galop.config.store.StoreLoginConfig;
import io.galop.config.store.StoreTlsConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;

/** What is configured about a MongoDB, as its drivers take it. */
public final class MongoSettings {
  private MongoSettings() {}

  /**
   * The settings; reads the files of the password and the certificates, so it blocks.
   *
   * @throws IOException naming the file that cannot be used
   */
  public static MongoClientSettings.Builder of(MongoAddress address) throws IOException {
    List<ServerAddress> hosts = address.hosts().stream().map(MongoSettings::server).toList();
    MongoClientSettings.Builder settings =
        MongoClientSettings.builder()
            .applicationName("galop")
            .applyToClusterSettings(
                cluster -> {
                  cluster.hosts(hosts);
                  if (!address.replicaSet().isEmpty()) {
                    cluster.requiredReplicaSetName(address.replicaSet());
                  }
                });
    StoreLoginConfig login = address.login();
    if (!login.user().isEmpty()) {
      settings.credential(
          MongoCredential.createCredential(
              login.user(), address.loginDatabase(), login.readPassword().toCharArray()));
    }
    encrypt(settings, address.tls());
    return settings;
  }

  private static ServerAddress server(String host) {
    return new ServerAddress(host);
  }

  private static void encrypt(MongoClientSettings.Builder settings, StoreTlsConfig tls)
      throws IOException {
    if (tls.enabled()) {
      var trust = tls.caFile().isEmpty() ? null : Trust.only(tls.caFile());
      settings.applyToSslSettings(
          ssl -> ssl.enabled(true).invalidHostNameAllowed(!tls.verifyHost()).context(trust));
      settings.inetAddressResolver(MongoSettings::resolve);
    }
  }

  /**
   * Addresses that know the host as it was configured. Of an IP address the blocking driver would
   * otherwise ask the name service for a name, and be content with a certificate for that one.
   */
  private static List<InetAddress> resolve(String host) throws UnknownHostException {
    List<InetAddress> named = new ArrayList<>();
    for (InetAddress found : InetAddress.getAllByName(host)) {
      named.add(InetAddress.getByAddress(host, found.getAddress()));
    }
    return named;
  }

  /**
   * How a document becomes JSON that needs no knowledge of BSON: times as text in ISO 8601 and UTC,
   * ids in hexadecimal, bytes in Base64, numbers as numbers.
   */
  public static JsonWriterSettings plainJson() {
    return JsonWriterSettings.builder()
        .outputMode(JsonMode.RELAXED)
        .dateTimeConverter((ms, json) -> json.writeString(Instant.ofEpochMilli(ms).toString()))
        .objectIdConverter((id, json) -> json.writeString(id.toHexString()))
        .binaryConverter(
            (bytes, json) -> json.writeString(Base64.getEncoder().encodeToString(bytes.getData())))
        .int64Converter((number, json) -> json.writeNumber(Long.toString(number)))
        .decimal128Converter((number, json) -> json.writeString(number.toString()))
        .doubleConverter(
            (number, json) -> {
              if (Double.isFinite(number)) {
                json.writeNumber(Double.toString(number));
              } else {
                json.writeNull();
              }
            })
        .build();
  }
}
