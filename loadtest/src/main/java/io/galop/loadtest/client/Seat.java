package io.galop.loadtest.client;

import io.netty.channel.EventLoop;

/**
 * Where a viewer sits.
 *
 * @param loop that it belongs to
 * @param number among all viewers
 * @param isStalled whether it never reads; such a viewer is not counted
 */
record Seat(
    EventLoop loop,
    int number,
    boolean isStalled,
    ViewerGroup audience,
    LoopFigures figures,
    Dialer dialer) {}
