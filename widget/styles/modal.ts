/** The modal, the sheet of wallets, and what lies behind a dialog. */
import { css } from 'lit';

export const modalStyles = css`
  .modal,
  .sheet {
    inline-size: min(520px, 100vw - 32px);
    max-block-size: calc(100vh - 32px);
    max-block-size: calc(100dvh - 32px);
    padding: 0;
    border: 0;
    border-radius: var(--_radius);
    background: var(--_paper);
    color: inherit;
    container-type: inline-size;
    /* the height of the bar, under which nothing that is scrolled to may end */
    scroll-padding-block-start: 60px;
  }
  .modal .base {
    border: 0;
    padding-block-end: calc(24px + env(safe-area-inset-bottom));
  }
  .modal .ribbon {
    border-radius: 0;
  }
  .bar {
    position: sticky;
    inset-block-start: 0;
    z-index: 1;
    display: flex;
    gap: 8px;
    align-items: center;
    padding-block: 4px;
    padding-inline: 16px 4px;
    border-block-end: 1px solid var(--_line);
    background: var(--_paper);
    text-align: start;
  }
  .bar b {
    display: -webkit-box;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 2;
    overflow: hidden;
    font-weight: 600;
  }
  /* The bar of the modal names the shop already. */
  .modal .summary .shop,
  .modal .shop-only {
    display: none;
  }
  .close {
    min-inline-size: 44px;
    margin-inline-start: auto;
    text-decoration: none;
  }
  .sheet[open] {
    display: flex;
    flex-direction: column;
    outline: 0;
  }
  /* What is found stays above the keyboard, which covers the lower half of the window. */
  .tall {
    block-size: 100%;
  }
  .sheet > :not(.bar, ul) {
    margin: 12px 16px;
  }
  .wallets {
    margin: 0;
    padding: 0;
    overflow: auto;
    overscroll-behavior: contain;
    list-style: none;
  }
  .wallets:last-child {
    flex: none;
    padding-block-end: env(safe-area-inset-bottom);
  }
  .wallets .option {
    border-width: 1px 0 0;
    border-radius: 0;
    text-decoration: none;
    outline-offset: -2px;
  }
  dialog::backdrop {
    background: rgb(10 14 20 / 55%);
  }
  @media (max-width: 600px) {
    .modal,
    .sheet {
      inline-size: 100%;
      max-inline-size: none;
      margin-block-end: 0;
      border-end-start-radius: 0;
      border-end-end-radius: 0;
    }
  }
`;
