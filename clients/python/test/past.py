"""What is asked about the past, of a node that is the test. See renewal.py, which runs it."""

import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from galop import _feed, _history


class PastTest(unittest.IsolatedAsyncioTestCase):
    def setUp(self) -> None:
        asked: list[str] = []

        class Node(BaseHTTPRequestHandler):
            """Names one more page whatever it is asked for."""

            def do_GET(self) -> None:
                asked.append(self.path)
                self.send_response(200)
                if "after" not in self.path:
                    self.send_header("X-Galop-Next", "5%3Arace%2F1")
                self.end_headers()
                self.wfile.write(b'{"topic":"race/1","time":5,"data":{"n":2.5}}\n')

            def log_message(self, format: str, *args: object) -> None:
                pass

        node = ThreadingHTTPServer(("127.0.0.1", 0), Node)
        threading.Thread(target=node.serve_forever, daemon=True).start()
        self.addCleanup(node.server_close)
        self.addCleanup(node.shutdown)
        self.asked = asked
        self.feed = _feed.connect(f"http://127.0.0.1:{node.server_port}/live")

    async def test_points_are_one_page(self) -> None:
        pages = [page async for page in self.feed.rows("race/1", fields=["n"], points=3)]
        self.assertEqual([""], [page.next for page in pages])
        self.assertEqual(["/history/race/1?points=3&fields=n"], self.asked)
        with self.assertRaisesRegex(ValueError, "points are one page"):
            self.feed.rows("race/1", fields=["n"], points=3, after="5:race/1")

    async def test_rows_are_as_many_pages_as_the_node_names(self) -> None:
        pages = [page async for page in self.feed.rows("race/1", fields=["n"], every="1m")]
        self.assertEqual(["5:race/1", ""], [page.next for page in pages])
        self.assertTrue(self.asked[1].endswith("&after=5%3Arace%2F1"), self.asked)

    def test_an_address_without_a_port_has_the_usual_one(self) -> None:
        for url, host, port in (
            ("ws://[::1]/live", "::1", 80),
            ("wss://[::1]/live", "::1", 443),
            ("ws://[::1]:8080/live", "::1", 8080),
            ("wss://feed.example.com/live", "feed.example.com", 443),
        ):
            to = _history.Past(url, self.feed._ask_token, None)._open()
            self.assertEqual((host, port), (to.host, to.port), url)

    async def test_levels_of_dots_are_asked_for_as_they_are(self) -> None:
        _ = [page async for page in self.feed.rows("a/../b/./+", fields=["n"], points=3)]
        self.assertEqual(["/history/a/../b/./%2B?points=3&fields=n"], self.asked)
