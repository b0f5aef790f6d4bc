/*
 * The least that a server can do for the same work: one thread, one epoll loop. Lines that come over
 * TCP are framed once and sent to every websocket with one system call each. It keeps nothing, merges
 * nothing, knows no filters; a connection that cannot take a frame goes on when it can.
 *
 *   fanout HTTP_PORT TCP_PORT [LOSE_EVERY]    on the loopback interface, until it is ended
 *   fanout HTTP_PORT TCP_PORT 0 TLS_PORT CERTIFICATE KEY    the same over TLS, by OpenSSL
 *
 * With LOSE_EVERY it loses one message in so many, to show that the load test notices. Compiled with
 * -DTLS it encrypts each frame for each viewer, which it has to.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>
#ifdef TLS
#include <openssl/err.h>
#include <openssl/ssl.h>
#endif

#define MAX_FDS 20000
#define RING 16384
#define INPUT 65536

enum kind { NONE, WEB_LISTENER, TLS_LISTENER, DOOR_LISTENER, WEB, VIEWER, DOOR };

struct connection {
  enum kind kind;
  uint64_t next;
  size_t offset;
  size_t read;
  char *input;
  int position;
#ifdef TLS
  SSL *tls;
#endif
};

struct frame {
  size_t length;
  char *bytes;
};

static struct connection connections[MAX_FDS];
static struct frame ring[RING];
static uint64_t head;
static int viewers[MAX_FDS];
static int viewer_count;
static int epoll_fd;
static int lose_every;
static uint64_t taken;

static void die(const char *what) {
  perror(what);
  exit(1);
}

/* SHA-1 (FIPS 180-4) of at most 119 bytes, which is all that the handshake needs. */
static uint32_t rotate(uint32_t x, int n) { return x << n | x >> (32 - n); }

static void sha1_block(uint32_t h[5], const unsigned char *block) {
  uint32_t w[80], a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];
  for (int i = 0; i < 16; i++)
    w[i] = (uint32_t)block[4 * i] << 24 | block[4 * i + 1] << 16 | block[4 * i + 2] << 8 | block[4 * i + 3];
  for (int i = 16; i < 80; i++) w[i] = rotate(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
  for (int i = 0; i < 80; i++) {
    uint32_t f = i < 20 ? (b & c) | (~b & d) : i < 40 ? b ^ c ^ d : i < 60 ? (b & c) | (b & d) | (c & d) : b ^ c ^ d;
    uint32_t k = i < 20 ? 0x5a827999 : i < 40 ? 0x6ed9eba1 : i < 60 ? 0x8f1bbcdc : 0xca62c1d6;
    uint32_t next = rotate(a, 5) + f + e + k + w[i];
    e = d;
    d = c;
    c = rotate(b, 30);
    b = a;
    a = next;
  }
  h[0] += a;
  h[1] += b;
  h[2] += c;
  h[3] += d;
  h[4] += e;
}

static void sha1(const char *text, unsigned char digest[20]) {
  unsigned char padded[128] = {0};
  uint32_t h[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  size_t length = strlen(text);
  size_t blocks = length + 9 > 64 ? 2 : 1;
  memcpy(padded, text, length);
  padded[length] = 0x80;
  padded[blocks * 64 - 2] = (unsigned char)(length * 8 >> 8);
  padded[blocks * 64 - 1] = (unsigned char)(length * 8);
  for (size_t i = 0; i < blocks; i++) sha1_block(h, padded + 64 * i);
  for (int i = 0; i < 20; i++) digest[i] = (unsigned char)(h[i / 4] >> (24 - 8 * (i % 4)));
}

static void base64(const unsigned char digest[20], char out[29]) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  int at = 0;
  for (int i = 0; i < 20; i += 3) {
    uint32_t three = digest[i] << 16 | digest[i + 1] << 8 | (i + 2 < 20 ? digest[i + 2] : 0);
    for (int shift = 18; shift >= 0; shift -= 6) out[at++] = letters[three >> shift & 63];
  }
  out[27] = '=';
  out[28] = 0;
}

/* As send and recv without waiting, over TLS where the connection has it. */
#ifdef TLS
static SSL_CTX *context;

static ssize_t settled(SSL *tls, int result) {
  if (result > 0) return result;
  int error = SSL_get_error(tls, result);
  ERR_clear_error();
  if (error == SSL_ERROR_ZERO_RETURN) return 0;
  errno = error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE ? EAGAIN : EPIPE;
  return -1;
}

static ssize_t give(int fd, const char *bytes, size_t length) {
  SSL *tls = connections[fd].tls;
  if (tls != NULL) return settled(tls, SSL_write(tls, bytes, (int)length));
  return send(fd, bytes, length, MSG_DONTWAIT | MSG_NOSIGNAL);
}

static ssize_t get(int fd, char *bytes, size_t room) {
  SSL *tls = connections[fd].tls;
  if (tls != NULL) return settled(tls, SSL_read(tls, bytes, (int)room));
  return recv(fd, bytes, room, MSG_DONTWAIT);
}

static void secure(int fd) {
  SSL *tls = SSL_new(context);
  if (tls == NULL || SSL_set_fd(tls, fd) != 1) die("SSL_new");
  SSL_set_accept_state(tls);
  connections[fd].tls = tls;
}

static void open_keys(const char *certificate, const char *key) {
  context = SSL_CTX_new(TLS_server_method());
  if (context == NULL || SSL_CTX_use_certificate_chain_file(context, certificate) != 1 ||
      SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) != 1)
    die("the certificate or its key");
  SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
}
#else
static ssize_t give(int fd, const char *bytes, size_t length) {
  return send(fd, bytes, length, MSG_DONTWAIT | MSG_NOSIGNAL);
}

static ssize_t get(int fd, char *bytes, size_t room) { return recv(fd, bytes, room, MSG_DONTWAIT); }
#endif

static void watch(int fd, uint32_t events, int operation) {
  struct epoll_event event = {.events = events, .data.fd = fd};
  if (epoll_ctl(epoll_fd, operation, fd, &event) < 0) die("epoll_ctl");
}

static void end(int fd) {
  struct connection *it = &connections[fd];
  if (it->kind == VIEWER) {
    int last = viewers[--viewer_count];
    viewers[it->position] = last;
    connections[last].position = it->position;
  }
  free(it->input);
#ifdef TLS
  SSL_free(it->tls);
#endif
  memset(it, 0, sizeof *it);
  close(fd);
}

/* Sends what the viewer has not had yet; returns 0 if the connection has ended. */
static int send_due(int fd) {
  struct connection *it = &connections[fd];
  while (it->next < head) {
    struct frame *frame = &ring[it->next % RING];
    ssize_t sent = give(fd, frame->bytes + it->offset, frame->length - it->offset);
    if (sent < 0 && (errno == EAGAIN || errno == EINTR)) return 1;
    if (sent < 0) {
      end(fd);
      return 0;
    }
    it->offset += (size_t)sent;
    if (it->offset < frame->length) continue; /* TLS takes 16 KiB at a time */
    it->offset = 0;
    it->next++;
  }
  return 1;
}

static size_t header(char *to, size_t payload) {
  to[0] = (char)0x81;
  if (payload < 126) {
    to[1] = (char)payload;
    return 2;
  }
  to[1] = 126;
  to[2] = (char)(payload >> 8);
  to[3] = (char)payload;
  return 4;
}

static size_t escape(char *to, const char *from, size_t length) {
  size_t at = 0;
  for (size_t i = 0; i < length; i++) {
    if (from[i] == '"' || from[i] == '\\') to[at++] = '\\';
    to[at++] = from[i];
  }
  return at;
}

/* The same words that Galop would send, in one SockJS array. */
static void publish(const char *line, size_t length) {
  static char message[INPUT], payload[2 * INPUT + 8];
  const char *data = memmem(line, length, "\"data\":", 7);
  if (data == NULL || (lose_every > 0 && ++taken % (uint64_t)lose_every == 0)) return;
  data += 7;
  int size = snprintf(message, sizeof message,
      "{\"type\":\"rec\",\"address\":\"load/#\",\"body\":{\"id\":\"01JD4Q7ZK8M3W5X9-%llu\",\"time\":1732147200000000,"
      "\"data\":%.*s},\"headers\":{\"topic\":\"load/0\",\"pos\":\"12.1-%llu\"}}",
      (unsigned long long)head, (int)(line + length - 1 - data), data, (unsigned long long)head);
  size_t bytes = 3;
  memcpy(payload, "a[\"", 3);
  bytes += escape(payload + bytes, message, (size_t)size);
  memcpy(payload + bytes, "\"]", 2);
  bytes += 2;
  struct frame *frame = &ring[head % RING];
  free(frame->bytes);
  frame->bytes = malloc(bytes + 4);
  size_t start = header(frame->bytes, bytes);
  memcpy(frame->bytes + start, payload, bytes);
  frame->length = start + bytes;
  head++;
  for (int i = viewer_count - 1; i >= 0; i--) {
    int fd = viewers[i];
    if (connections[fd].next + RING <= head)
      end(fd);
    else if (connections[fd].next == head - 1 && connections[fd].offset == 0)
      send_due(fd);
  }
}

static void upgrade(int fd, char *request) {
  struct connection *it = &connections[fd];
  char *key = strcasestr(request, "Sec-WebSocket-Key: ");
  char text[128], answer[256], accept[29];
  unsigned char digest[20];
  if (key == NULL) {
    const char *ok = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    if (give(fd, ok, strlen(ok)) < 0) perror("send");
    end(fd);
    return;
  }
  snprintf(text, sizeof text, "%.24s258EAFA5-E914-47DA-95CA-C5AB0DC85B11", key + 19);
  sha1(text, digest);
  base64(digest, accept);
  int length = snprintf(answer, sizeof answer,
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      "Sec-WebSocket-Accept: %s\r\n\r\n%c%co", accept, 0x81, 1);
  if (give(fd, answer, (size_t)length) != length) {
    end(fd);
    return;
  }
  it->kind = VIEWER;
  it->next = head;
  it->position = viewer_count;
  viewers[viewer_count++] = fd;
  watch(fd, EPOLLIN | EPOLLOUT | EPOLLET, EPOLL_CTL_MOD);
}

static void accept_all(int listener, enum kind from) {
  enum kind kind = from == DOOR_LISTENER ? DOOR : WEB;
  for (;;) {
    int fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK), on = 1;
    if (fd < 0) return;
    if (fd >= MAX_FDS) {
      close(fd);
      continue;
    }
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    connections[fd].kind = kind;
    connections[fd].input = malloc(kind == DOOR ? INPUT : 4096);
#ifdef TLS
    if (from == TLS_LISTENER) secure(fd);
#endif
    watch(fd, EPOLLIN, EPOLL_CTL_ADD);
  }
}

static void take_lines(struct connection *it) {
  char *start = it->input, *stop = it->input + it->read, *end_of_line;
  while ((end_of_line = memchr(start, '\n', (size_t)(stop - start))) != NULL) {
    publish(start, (size_t)(end_of_line - start));
    start = end_of_line + 1;
  }
  it->read = (size_t)(stop - start);
  memmove(it->input, start, it->read);
}

static void take(int fd) {
  struct connection *it = &connections[fd];
  size_t room = (it->kind == DOOR ? INPUT : 4096) - 1;
  if (it->kind == VIEWER) it->read = 0;
  ssize_t count = get(fd, it->input + it->read, room - it->read);
  if (count < 0 && errno == EAGAIN) return;
  if (count <= 0) {
    end(fd);
    return;
  }
  it->read += (size_t)count;
  it->input[it->read] = 0;
  if (it->kind == DOOR)
    take_lines(it);
  else if (it->kind == WEB && strstr(it->input, "\r\n\r\n") != NULL)
    upgrade(fd, it->input);
}

static void open_listener(const char *port, enum kind kind) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port))};
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), on = 1;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (bind(fd, (struct sockaddr *)&address, sizeof address) < 0 || listen(fd, 4096) < 0) die("listen");
  connections[fd].kind = kind;
  watch(fd, EPOLLIN, EPOLL_CTL_ADD);
}

int main(int count, char **arguments) {
  static struct epoll_event events[1024];
  if (count != 3 && count != 4 && count != 7) {
    fprintf(stderr, "usage: fanout HTTP_PORT TCP_PORT [LOSE_EVERY [TLS_PORT CERTIFICATE KEY]]\n");
    return 2;
  }
  if (count > 3) lose_every = atoi(arguments[3]);
  signal(SIGPIPE, SIG_IGN);
  epoll_fd = epoll_create1(0);
  open_listener(arguments[1], WEB_LISTENER);
  open_listener(arguments[2], DOOR_LISTENER);
#ifdef TLS
  if (count == 7) {
    open_keys(arguments[5], arguments[6]);
    open_listener(arguments[4], TLS_LISTENER);
  }
#endif
  for (;;) {
    int ready = epoll_wait(epoll_fd, events, 1024, -1);
    for (int i = 0; i < ready; i++) {
      int fd = events[i].data.fd;
      enum kind kind = connections[fd].kind;
      if (kind == WEB_LISTENER || kind == TLS_LISTENER || kind == DOOR_LISTENER)
        accept_all(fd, kind);
      else if (kind != NONE && (!(events[i].events & EPOLLOUT) || kind != VIEWER || send_due(fd)) &&
               events[i].events & (EPOLLIN | EPOLLHUP | EPOLLERR))
        take(fd);
    }
  }
}
