/*
 * The token of whoever looks at the page, where the node asks for one (broadcast.token).
 *
 *   GALOP_TOKEN = "eyJ…";                        before this script: the token,
 *   GALOP_TOKEN = function () { return "eyJ…"; };  or what gives one, asked for each connection
 *   Galop.connect("/live", {query: Galop.query});  query: gives what follows the feed's address
 *   Galop.renew(feed, token);                    before it expires; answered by a message "token"
 *
 * Without the global it is ?token=… of the page's address, which stays in histories and logs: for
 * trying things out.
 */
(function () {
  function ofAddress() {
    var found = /[?&]token=([^&#]*)/.exec(location.search);
    return found ? decodeURIComponent(found[1]) : "";
  }

  Galop.token = function () {
    var given = window.GALOP_TOKEN;
    return (typeof given === "function" ? given() : given) || ofAddress();
  };

  Galop.query = function () {
    var token = Galop.token();
    return token ? "?token=" + encodeURIComponent(token) : "";
  };

  Galop.renew = function (feed, token) {
    if (feed.socket) {
      feed.socket.send(JSON.stringify({type: "token", headers: {token: token}}));
    }
  };
}());
