"""300 simulated sensors that publish by MQTT, each once a second.

A message is acknowledged (QoS 1) when its record is on disk. paho keeps what is not, connects again, and sends it
again. By its id Galop knows a message that it has already, and by its time one that comes late.
"""

import json
import os
import random
import signal
import sys
import threading
import time

import paho.mqtt.client as mqtt

PORT = int(os.environ.get("GALOP_INGEST_MQTT_PORT", "1883"))
KINDS = {"celsius": (60, 95), "bar": (4, 6), "vibration": (1, 7.5)}  # from, to


class Sensor:
    """Wanders between two limits, and falls silent for half a minute now and then."""

    def __init__(self, topic: str, low: float, high: float) -> None:
        self.topic, self.low, self.high = topic, low, high
        self.value = random.uniform(low, (low + high) / 2)
        self.silent_until = 0.0

    def read(self, now: float) -> float | None:
        if random.random() < 1 / 20_000:
            self.silent_until = now + 30
        middle, width = (self.low + self.high) / 2, self.high - self.low
        self.value += random.gauss(0, width / 30) + (middle - self.value) / 200
        self.value = min(max(self.value, self.low), self.high)
        return None if now < self.silent_until else round(self.value, 2)


def sensors() -> list[Sensor]:
    return [
        Sensor(f"plant/hall-{hall}/machine-{machine}/{kind}", *limits)
        for hall in range(1, 11)
        for machine in range(1, 11)
        for kind, limits in KINDS.items()
    ]


def main() -> None:
    random.seed(1)
    plant = sensors()
    stop = threading.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, lambda *_: stop.set())

    client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, client_id="plant", clean_session=False)
    client.max_queued_messages_set(3_000)  # ten seconds of the plant; then publish() refuses
    client.max_inflight_messages_set(300)
    client.on_connect = lambda *_: print(f"sensors: {len(plant)} of them publish", flush=True)
    client.on_disconnect = lambda *_: print("sensors: the node is away", flush=True)
    client.reconnect_delay_set(1, 5)
    client.connect_async("127.0.0.1", PORT)  # the node may come later
    client.loop_start()

    due = time.monotonic()
    while not stop.wait(max(0.0, due - time.monotonic())):
        due += 1
        for sensor in plant:
            value = sensor.read(due)
            if value is not None:
                time_us = time.time_ns() // 1_000
                record = {"id": str(time_us), "time": time_us, "data": {"value": value}}
                client.publish(sensor.topic, json.dumps(record), qos=1)
    client.disconnect()
    client.loop_stop()


if __name__ == "__main__":
    sys.exit(main())
