/**
 * What browsers since Safari 15.4, Chrome and Edge 100, and Firefox 100 get in the place of newer
 * features of the other style sheets. test/tools/floor/ finds features that lack such a rule.
 */
import { css } from 'lit';

export const olderStyles = css`
  /* element/on-accent.ts finds out whether black or white can be read on the accent. */
  @supports not (color: color(from #000 xyz-d65 x y z)) {
    .primary {
      color: var(--pay-on-accent, var(--_on_accent, #fff));
    }
  }
  @supports not (color: color-mix(in srgb, #000, #fff)) {
    .primary {
      border-color: var(--_accent);
    }
    .base .note {
      background: none;
    }
  }
  /*
   * Safari 16 has containers, but cannot give them a width. There the card is no container, and an
   * empty line asks for its natural width.
   */
  @supports not (contain-intrinsic-inline-size: 1px) {
    :host {
      container-type: normal;
    }
    .base::before {
      display: block;
      inline-size: min(470px, 100vw - 82px);
      max-inline-size: 100%;
      content: '';
    }
    .amount {
      font-size: clamp(
        min(20px, (100vw - 84px) / (var(--_characters, 8) * 0.68 - 2.7)),
        (100vw - 84px) / (var(--_characters, 8) * 0.6),
        var(--_largest, calc(2.25 * var(--_size)))
      );
    }
    .primary .amount {
      font-size: min(1em, (100vw - 118px) / (var(--_characters, 8) * 0.68 - 2.7));
    }
    @media (max-width: 512px) {
      .base {
        padding: 16px;
      }
      .ribbon {
        margin: -16px -16px 16px;
      }
    }
  }
  @supports not selector(:has(*)) {
    :checked + bdi {
      font-weight: 600;
    }
  }
`;
