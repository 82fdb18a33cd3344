/**
 * Runs in the page: presses the button that leads to the code as soon as it is there, and notes the
 * time after the frame in which a square picture with content has appeared. Adyen's picture is not
 * waited for: it comes from Adyen's servers. On a touch screen, which cannot scan itself, the
 * element's action that pays with the code counts too.
 */
(() => {
  const MIN_CODE_PX = 100;
  const isCode = (element) => {
    if (element.matches('[alt="Scan QR code"]')) return true;
    const { height, width } = element.getBoundingClientRect();
    if (Math.abs(width - height) > width / 10 || width < MIN_CODE_PX) return false;
    if (element instanceof HTMLImageElement) return element.complete && element.naturalWidth > 0;
    return element instanceof HTMLCanvasElement || element.querySelector('path, rect') !== null;
  };
  const hasTouchScreen = matchMedia('(pointer: coarse)').matches;
  const isAction = (element) =>
    hasTouchScreen &&
    element.matches('.primary:is([part="link"], [part="copy"])') &&
    element.getBoundingClientRect().height > 0;
  const isWayToCode = (element) =>
    element.matches('[data-action="pay"]') ||
    (element.matches('bci-button') && element.textContent.includes('Display Invoice'));
  const pressed = new Set();
  const find = (root) =>
    [...root.querySelectorAll('*')].some((element) => {
      if (isWayToCode(element) && !pressed.has(element)) {
        element.click();
        pressed.add(element);
      }
      return (
        (element.shadowRoot && find(element.shadowRoot)) ||
        isAction(element) ||
        (element.matches('svg, canvas, img') && isCode(element))
      );
    });
  const onFrame = () => {
    if (!find(document)) requestAnimationFrame(onFrame);
    else requestAnimationFrame(() => (globalThis.codeShownAtMs = performance.now()));
  };
  requestAnimationFrame(onFrame);
})();
