package io.galop.broadcast;

import io.galop.broadcast.edge.Admission;
import io.galop.broadcast.edge.Edge;
import io.galop.broadcast.feed.NodeFeed;
import io.galop.broadcast.mqtt.KeptSessions;
import io.galop.broadcast.sockjs.Sessions;

/**
 * What the endpoints of all event loops of a node share.
 *
 * @param feed what there is to show
 * @param edge who may come in
 * @param sessions of browsers without a websocket
 * @param mqttSessions of clients of MQTT that have gone and may come back
 * @param drain sends browsers away before the node stops
 * @param conditions makes conditions of what browsers write
 * @param caps what viewers may be sent at most
 */
public record LiveNode(
    NodeFeed feed,
    Edge edge,
    Sessions<Admission> sessions,
    KeptSessions mqttSessions,
    Drain drain,
    ConditionCompiler conditions,
    LiveCaps caps) {}
