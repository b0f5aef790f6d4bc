package io.galop.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.galop.yaml.ConfigException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigRulesTest {
  private static final String NOBODY_IS_ASKED =
      ", where none of ingest.token, ingest.tokenFile, ingest.publishers and"
          + " ingest.publishersFile is given: anyone could send records (t.yaml:1)";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "node: {roles: []}| node.roles: must name at least one role: ingest, enrich, persist or"
            + " broadcast (t.yaml:1)",
        "node: {roles: [persist, persist]} | node.roles: must name each role once (t.yaml:1)",
        "node: {roles: [ingest, broadcast]} | cluster.members: must name nodes that run enrich and"
            + " persist, as this one is alone and does not",
        "{persist: {log: {segmentBytes: 262144, queueBytes: 8192}}} | persist.log.segmentBytes:"
            + " must be at least 364800, not 262144, where ingest.limits.maxDataBytes is 65536: a"
            + " record takes a fifth of a segment at most, a dead letter of it included; or lower"
            + " the limit on all nodes (t.yaml:1)",
        "http: {host: '[::1]'} | http.host: must be '::1', not '[::1]': only a URL has brackets"
            + " around an address (t.yaml:1)",
        "http: {host: 0.0.0.0, insecure: true} | http.host: must be a loopback address (127.0.0.1,"
            + " ::1, localhost), not '0.0.0.0'"
            + NOBODY_IS_ASKED,
        "ingest: {tcp: {host: db.lan, insecure: true}} | ingest.tcp.host: must be a loopback"
            + " address (127.0.0.1, ::1, localhost), not 'db.lan'"
            + NOBODY_IS_ASKED,
        "ingest: {mqtt: {host: '::', insecure: true}} | ingest.mqtt.host: must be a loopback"
            + " address (127.0.0.1, ::1, localhost), not '::'"
            + NOBODY_IS_ASKED,
        "ingest: {mqtt: {port: 7000}} | ingest.bridge.port: must differ from ingest.mqtt.port, both"
            + " are 7000",
        "ingest: {allowTopics: [a, b#]} | ingest.allowTopics[1]: must be a topic filter, filter"
            + " 'b#': '+' and '#' must stand alone in their level (t.yaml:1)",
        "{node: {roles: [broadcast]}, cluster: {members: ['a:1']}, http: {host: 0.0.0.0}} |"
            + " http.host: must be a loopback address (127.0.0.1, ::1, localhost), not '0.0.0.0',"
            + " where the listener http has no TLS: give http.tls.certificate and http.tls.key, or"
            + " http.trustedProxies where a proxy ends TLS, or http.insecure: true if all may go in"
            + " clear text (t.yaml:1)",
        "management: {host: 10.0.0.1, anonymous: true} | management.host: must be a loopback"
            + " address (127.0.0.1, ::1, localhost), not '10.0.0.1', where the listener management"
            + " has no TLS: give management.tls.certificate and management.tls.key or"
            + " management.insecure: true if all may go in clear text (t.yaml:1)",
        "ingest: {token: s, mqtt: {host: '::'}} | ingest.mqtt.host: must be a loopback address"
            + " (127.0.0.1, ::1, localhost), not '::', where the listener mqtt has no TLS: give"
            + " ingest.mqtt.tls.certificate and ingest.mqtt.tls.key or ingest.mqtt.insecure: true"
            + " if all may go in clear text (t.yaml:1)",
        "ingest: {token: s, tcp: {host: '10.0.0.1'}} | ingest.tcp.host: must be a loopback address"
            + " (127.0.0.1, ::1, localhost), not '10.0.0.1', where the listener tcp has no TLS:"
            + " give ingest.tcp.tls.certificate and ingest.tcp.tls.key or ingest.tcp.insecure: true"
            + " if all may go in clear text (t.yaml:1)",
        "http: {tls: {certificate: a}} | http.tls.key: must be given too: a listener needs both"
            + " (t.yaml:1)",
        "http: {tls: {key: a}} | http.tls.certificate: must be given too: a listener needs both"
            + " (t.yaml:1)",
        "http: {tls: {clientCa: a}} | http.tls.certificate: must be given too: clients show theirs"
            + " to a listener that has one (t.yaml:1)",
        "http: {tls: {minVersion: 1.1}} | http.tls.minVersion: must be 1.2 or 1.3, not '1.1': older"
            + " ones are not safe (t.yaml:1)",
        "management: {host: 10.0.0.1, insecure: true} | management.host: must be a loopback"
            + " address (127.0.0.1, ::1, localhost), not '10.0.0.1', where management.operators"
            + " names nobody: give an operator with a tokenHash or a certificate's subject, or"
            + " management.anonymous: true if whoever reaches the port may act (t.yaml:1)",
        "management: {operators: [{name: a, role: viewer}]} | management.operators[0].tokenHash:"
            + " must be given, or tokenHashFile or subject, and only one of them (t.yaml:1)",
        "management: {operators: [{name: a, role: viewer, tokenHash: secret}]} |"
            + " management.operators[0].tokenHash: must be 64 hexadecimal digits, the SHA-256 of"
            + " the token and not the token (t.yaml:1)",
        "management: {operators: [{name: a, role: viewer, subject: anna}]} |"
            + " management.operators[0].subject: must be that of a certificate, such as"
            + " CN=anna,O=Example, not 'anna' (t.yaml:1)",
        "management: {operators: [{name: a, role: viewer, subject: CN=anna}]} |"
            + " management.operators[0]: must have a token, as no certificate is shown without"
            + " tls.clientCa (t.yaml:1)",
        "management: {operators: [{name: a b, role: viewer, tokenHashFile: f}]} |"
            + " management.operators[0].name: must be 1 to 64 letters, digits, '.', '_', '@' or"
            + " '-', not 'a b' (t.yaml:1)",
        "management: {operators: [{name: a, role: admin, tokenHashFile: f}]} |"
            + " management.operators[0].role: must be viewer or operator, not 'admin' (t.yaml:1)",
        "management: {operators: [{name: a, role: viewer, tokenHashFile: f}, {name: a, role:"
            + " viewer, tokenHashFile: g}]} | management.operators[1]: must have a name of its own,"
            + " not 'a' again (t.yaml:1)",
        "management: {anonymous: true, operators: [{name: a, role: viewer, tokenHashFile: f}]} |"
            + " management.anonymous: must be false where operators are given (t.yaml:1)",
        "{node: {roles: [broadcast]}, broadcast: {link: {host: 10.0.0.1}}} |"
            + " broadcast.link.tls.certificate: must be given with key and clientCa: a link needs"
            + " TLS (broadcast.link.insecure: true does without on loopback only)",
        "{node: {roles: [broadcast]}, broadcast: {link: {host: '::', insecure: true}}} |"
            + " broadcast.link.tls.certificate: must be given with key and clientCa: a link needs"
            + " TLS (broadcast.link.insecure: true does without on loopback only)",
        "{node: {roles: [broadcast]}, broadcast: {link: {host: '::', tls: {certificate: c, key:"
            + " k}}}} | broadcast.link: tls.clientCa must be given: it tells who may bring the feed"
            + " (t.yaml:1)",
        "broadcast: {interest: watched} | broadcast.interest: can be watched only where link.host"
            + " is given: a relay says what is watched (t.yaml:1)",
        "{node: {roles: [broadcast]}, broadcast: {interest: watched, link: {host: 127.0.0.1,"
            + " insecure: true}, freshness: [{filter: a, maxAgeMs: 1000}]}} | broadcast.freshness:"
            + " must be empty where interest is watched: a topic that is not sent is silent"
            + " (t.yaml:1)",
        "broadcast: {link: {host: 127.0.0.1, insecure: true}} | node.roles: must be [broadcast]"
            + " where broadcast.link.host is given: a relay runs nothing else",
        "{node: {roles: [broadcast]}, cluster: {members: ['a:1']}, broadcast: {link: {host:"
            + " 127.0.0.1, insecure: true}}} | cluster.members: must be empty where"
            + " broadcast.link.host is given: a relay is no member of the cluster (t.yaml:1)",
        "{node: {roles: [broadcast]}, cluster: {members: ['a:1']}, relays: [{host: localhost,"
            + " insecure: true}]} | relays: can be given only where node.roles has persist, or"
            + " broadcast.link.host is given: an owner brings the feed, or a relay what it is sent"
            + " (t.yaml:1)",
        "{node: {roles: [broadcast]}, broadcast: {interest: watched, link: {host: 127.0.0.1,"
            + " insecure: true}}, relays: [{host: localhost, insecure: true}]} | broadcast.interest:"
            + " must be all where broadcast.link.host and relays are given: a relay can send on"
            + " only what it is sent (t.yaml:1)",
        "{node: {roles: [broadcast]}, broadcast: {link: {host: 127.0.0.1, insecure: true}},"
            + " relays: [{host: localhost, insecure: true, questions: false}]} |"
            + " relays[0].questions: must be true where broadcast.link.host is given: only the"
            + " owner of a shard sends its records unasked",
        "relays: [{host: 10.0.0.1, insecure: true}] | relays[0]: tls.certificate, tls.key and"
            + " tls.ca must be given: a link needs TLS (insecure: true does without on loopback"
            + " only) (t.yaml:1)",
        "relays: [{host: r, tls: {certificate: c}}] | relays[0].tls: certificate, key and ca must"
            + " be given together (t.yaml:1)",
        "http: {port: 9090} | management.port: must differ from http.port, both are 9090",
        "cluster: {members: [a:1], busPort: 5701}"
            + "| cluster.busPort: must differ from cluster.port, both are 5701 (t.yaml:1)",
        "cluster: {members: [a:1], port: 8080}"
            + "| cluster.port: must differ from http.port, both are 8080 (t.yaml:1)",
      })
  void refuses(String yaml, String message) {
    ConfigException refusal =
        assertThrows(ConfigException.class, () -> ConfigLoader.parse(yaml, "t.yaml"));
    assertEquals(message, refusal.getMessage());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "http: {port: 0}, management: {port: 0}",
        "cluster: {port: 8080}",
        "node: {roles: [broadcast]}, broadcast: {link: {host: 127.0.0.1, insecure: true}}",
        "node: {roles: [broadcast]}, broadcast: {link: {host: 0.0.0.0, tls: {certificate: c, key:"
            + " k, clientCa: a}}}",
        "relays: [{host: r, tls: {certificate: c, key: k, ca: a}}]",
        "ingest: {token: s, tcp: {host: 0.0.0.0, insecure: true}}, http: {host: 0.0.0.0,"
            + " trustedProxies: [10.0.0.1]}",
        "ingest: {token: s}, http: {host: 0.0.0.0, tls: {certificate: c, key: k, minVersion: 1.3}}",
        "management: {host: 0.0.0.0, insecure: true, anonymous: true}",
        "management: {host: 0.0.0.0, insecure: true, operators: [{name: a, role: viewer,"
            + " tokenHashFile: f}]}",
        "ingest: {tcp: {enabled: false, host: 0.0.0.0}}, http: {host: 127.1.2.3}",
        "node: {roles: [broadcast]}, cluster: {members: [a:1], host: 10.0.0.1}, http: {host:"
            + " 0.0.0.0, insecure: true}",
        "node: {roles: [ingest, enrich, persist]}",
      })
  void accepts(String yaml) {
    ConfigLoader.parse("{" + yaml + "}", "t.yaml");
  }
}
