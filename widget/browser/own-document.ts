/**
 * A property of the document as the browser defines it. `document.x` gives way to an element of
 * the page that has the name `x`: a `<form name="x">` would stand in its place.
 */
export const ownDocument = <K extends keyof Document>(name: K): Document[K] =>
  Reflect.get(Document.prototype, name, document);
