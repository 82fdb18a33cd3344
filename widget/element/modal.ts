/** The modal around the card: opens it, closes it, and keeps the page behind it from scrolling. */
import { lockScroll } from '../browser/scroll-lock.js';
import { PayCloseEvent } from '../events.js';

type ModalHost = HTMLElement & {
  readonly display: string;
  /** Undefined before the element is in the page for the first time. */
  readonly renderRoot?: HTMLElement | DocumentFragment;
  /** What else depends on whether the modal is open follows it (`hostUpdated`). */
  requestUpdate(): void;
};

type Modal = {
  show(): void;
  /** Closes the modal; the order is kept. */
  close(): void;
  /** Called when the dialog has closed, also by the customer. */
  closed(): void;
  /** Called after each render. */
  rendered(): void;
  /** Called when the element leaves the page. */
  left(): void;
};

export function createModal(host: ModalHost): Modal {
  /** `show` was called before the modal was rendered in the page. */
  let opening = false;
  const dialog = (): HTMLDialogElement | null =>
    host.renderRoot?.querySelector<HTMLDialogElement>('dialog.modal') ?? null;
  const close = (): void => {
    opening = false;
    // also a code that is enlarged, and a sheet: a detached `<dialog>` stays open, but not modal
    for (const open of host.renderRoot?.querySelectorAll('dialog') ?? []) open.close();
  };
  const show = (): void => {
    const shown = dialog();
    if (host.display !== 'modal' || shown?.open) return;
    opening = true;
    if (!shown?.isConnected) return;
    opening = false;
    shown.showModal();
    shown.querySelector<HTMLElement>('h2')?.focus();
    lockScroll(host, true);
    host.requestUpdate();
  };
  return {
    show,
    close,
    closed: () => {
      // A modal that the page has moved is open again when the browser reports that it was closed.
      if (dialog()?.open) return;
      lockScroll(host, false);
      host.requestUpdate();
      host.dispatchEvent(new PayCloseEvent(null));
    },
    rendered: () => {
      if (host.display !== 'modal') opening = false;
      if (opening) show();
      // A dialog that a change of `display` has removed does not say that it was closed.
      lockScroll(host, dialog()?.open === true);
    },
    left: () => {
      const wasOpen = opening || dialog()?.open;
      close();
      lockScroll(host, false);
      // A page that moves the element puts it back at once.
      queueMicrotask(() => (wasOpen || opening) && host.isConnected && show());
    },
  };
}
