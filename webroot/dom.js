/*
 * The only file that knows what old browsers lack: elements, events, classes and text, from IE8 on.
 * Text is always set as text, never as HTML.
 */
var galopPage = {};

galopPage.dom = (function () {
  var usesTextContent = document.documentElement.textContent !== undefined;

  function byId(id) {
    return document.getElementById(id);
  }

  /* Writes only what differs, so that a render of unchanged values costs no layout. */
  function text(element, value) {
    value = String(value);
    if (element.galopText !== value) {
      element.galopText = value;
      if (usesTextContent) {
        element.textContent = value;
      } else {
        element.innerText = value;
      }
    }
  }

  function attribute(element, name, value) {
    if (element.getAttribute(name) !== String(value)) {
      element.setAttribute(name, value);
    }
  }

  function className(element, names) {
    if (element.className !== names) {
      element.className = names;
    }
  }

  function show(element, visible) {
    var display = visible ? "" : "none";
    if (element.style.display !== display) {
      element.style.display = display;
    }
  }

  /* A new element with attributes, appended to its parent. */
  function add(parent, tag, attributes, content) {
    var element = document.createElement(tag), name;
    for (name in attributes) {
      if (attributes.hasOwnProperty(name)) {
        if (name === "class") {
          element.className = attributes[name];
        } else {
          element.setAttribute(name, attributes[name]);
        }
      }
    }
    if (content !== undefined) {
      text(element, content);
    }
    parent.appendChild(element);
    return element;
  }

  function clear(element) {
    while (element.lastChild) {
      element.removeChild(element.lastChild);
    }
  }

  /* Puts the children into the given order, moving only those that stand elsewhere. */
  function arrange(parent, children) {
    var i, at = parent.firstChild;
    for (i = 0; i < children.length; i++) {
      if (children[i] === at) {
        at = at.nextSibling;
      } else {
        parent.insertBefore(children[i], at);
      }
    }
  }

  function on(element, event, handler) {
    if (element.addEventListener) {
      element.addEventListener(event, handler, false);
    } else {
      element.attachEvent("on" + event, function () {
        handler.call(element, window.event);
      });
    }
  }

  /* The two-dimensional context, or null where the browser draws nothing. */
  function context(canvas) {
    return canvas.getContext ? canvas.getContext("2d") : null;
  }

  /* A custom property of the style sheet, or the fallback where the browser has none. */
  function styled(name, fallback) {
    var value = window.getComputedStyle
      ? window.getComputedStyle(document.documentElement, null).getPropertyValue(name) : "";
    return value ? value.replace(/^\s+|\s+$/g, "") : fallback;
  }

  return {
    byId: byId, text: text, attribute: attribute, className: className, show: show, add: add,
    clear: clear, arrange: arrange, on: on, context: context, styled: styled
  };
}());
