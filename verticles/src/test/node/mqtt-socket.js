// MQTT.js, with the events and methods of a SockJS socket: a registration is a subscription with QoS 1
// and an identifier, a record is what its PUBLISH and its properties say, the words about the feed come on
// $galop/. In a websocket it is at the port of HTTP; else the port of a node's MQTT listener is found by that of its HTTP: MQTT_PORTS=8080:1884,…
'use strict';
const mqtt = require('mqtt');

const PORTS = Object.fromEntries((process.env.MQTT_PORTS || '').split(',').map((pair) => pair.split(':')));
const REFUSED = { 0x87: 'access_denied', 0x8f: 'invalid_address', 0x97: 'max_handlers_reached' };

class MqttSocket {
  constructor(url, transport) {
    const { hostname, host, port, searchParams } = new URL(url);
    this.transport = transport;
    this.addresses = [''];
    this.client = mqtt.connect(transport === 'mqtt' ? `mqtt://${hostname}:${PORTS[port]}` : `ws://${host}/mqtt`, {
      protocolVersion: 5, reconnectPeriod: 0, resubscribe: false, username: 'viewer', password: searchParams.get('token') || undefined,
    });
    this.client.on('connect', () => this.client.subscribe('$galop/#', {}, () => this.onopen()));
    this.client.on('message', (topic, payload, packet) => this.hear(topic, payload, packet.properties));
    this.client.on('error', () => {});
    this.client.on('close', () => this.end());
  }

  send(text) {
    const { type, address, headers = {} } = JSON.parse(text);
    if (type !== 'register') return;
    const { snapshot, ...others } = headers;
    const said = Object.entries(others).filter(([, value]) => value !== undefined && value !== '');
    const properties = { subscriptionIdentifier: this.addresses.push(address) - 1 };
    if (said.length > 0) {
      properties.userProperties = Object.fromEntries(said.map(([name, value]) => [name, String(value)]));
    }
    this.client.subscribe(address, { qos: 1, rh: String(snapshot) === 'true' ? 0 : 2, properties }, (error, granted, packet) => {
      const code = packet && packet.granted ? Number(packet.granted[0].qos ?? packet.granted[0]) : (error && error.code) || 0;
      if (code >= 0x80) this.tell({ type: 'err', address, body: REFUSED[code] || String(code) });
    });
  }

  hear(topic, payload, properties) {
    if (topic.startsWith('$galop/')) {
      this.onmessage({ data: payload.toString() });
      return;
    }
    const { id, time, ...headers } = properties.userProperties;
    const address = this.addresses[properties.subscriptionIdentifier];
    const body = { id, time: Number(time), data: JSON.parse(payload) };
    this.tell({ type: 'rec', address, body, headers: { topic, ...headers } });
  }

  tell(message) {
    this.onmessage({ data: JSON.stringify(message) });
  }

  end() {
    if (this.isEnded) return;
    this.isEnded = true;
    this.onclose({ code: 1006, reason: 'closed' });
  }

  close() {
    this.client.end(true);
  }
}

module.exports = { MqttSocket };
