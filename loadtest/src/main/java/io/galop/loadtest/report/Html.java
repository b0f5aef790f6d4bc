package io.galop.loadtest.report;

/** Text for a page. */
final class Html {
  private Html() {}

  static String text(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
