/*
 * The token of whoever looks at the page, where the node asks for one (broadcast.token).
 *
 *   GALOP_TOKEN = "eyJ…";                        before this script: the token,
 *   GALOP_TOKEN = function () { return "eyJ…"; };  or what gives one, asked for each connection
 *   Galop.connect("/live", {query: Galop.query, again: Galop.again});
 *                                                query gives what follows the feed's address; again
 *                                                comes back with another token when one has expired,
 *                                                was revoked or has lost its key
 *   Galop.renew(feed, token);                    before it expires; answered by a message "token"
 *
 * Without the global it is ?token=… of the page's address, which stays in histories and logs: for
 * trying things out.
 */
(function () {
  var TOKEN_EXPIRED = 3501, TOKEN_REVOKED = 3502, TOKEN_KEY_GONE = 3503;
  var used = ""; /* with the connection before; when revoked it would be refused for ever */

  function ofAddress() {
    var found = /[?&]token=([^&#]*)/.exec(location.search);
    try {
      return found ? decodeURIComponent(found[1]) : "";
    } catch (e) {
      return found[1]; /* no percent-encoding: the node refuses it, and says so */
    }
  }

  Galop.token = function () {
    var given = window.GALOP_TOKEN;
    return (typeof given === "function" ? given() : given) || ofAddress();
  };

  Galop.query = function () {
    var token = used = Galop.token();
    return token ? "?token=" + encodeURIComponent(token) : "";
  };

  Galop.again = function (code) {
    if (typeof window.GALOP_TOKEN !== "function") {
      return false;
    }
    return code === TOKEN_EXPIRED ||
      (code === TOKEN_REVOKED || code === TOKEN_KEY_GONE) && Galop.token() !== used;
  };

  Galop.renew = function (feed, token) {
    if (feed.socket) {
      feed.socket.send(JSON.stringify({type: "token", headers: {token: token}}));
    }
  };
}());
