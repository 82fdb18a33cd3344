/** QR codes and copyable values. */
import { css } from 'lit';

export const paymentStyles = css`
  .method {
    display: flex;
    gap: 8px;
    align-items: center;
    justify-content: center;
    margin: 0 0 12px;
    font-weight: 600;
  }
  h2 .method {
    margin: 0;
  }
  .qr-frame {
    position: relative;
    display: block;
    inline-size: fit-content;
    max-inline-size: 100%;
    margin: 4px auto 12px;
    padding: 5px;
    border: 1px solid var(--_line);
    border-radius: var(--_inner);
    background: #fff;
    forced-color-adjust: none;
  }
  button.qr-frame {
    cursor: zoom-in;
  }
  .qr {
    display: block;
    max-inline-size: 100%;
    block-size: auto;
    margin-inline: auto;
  }
  .ring {
    position: absolute;
    inset: 0;
    inline-size: 100%;
    block-size: 100%;
    fill: none;
    stroke: #14181f;
    stroke-width: 0.7;
  }
  .large {
    inline-size: fit-content;
    max-inline-size: 96vw;
    padding: 0 0 16px;
    border: 0;
    background: #fff;
    color-scheme: light;
  }
  .large .quiet {
    color: #000;
  }
  .waiting {
    margin: 8px 0;
    color: var(--_muted);
    font-variant-numeric: tabular-nums;
  }
  .pulse {
    display: inline-block;
    flex: none;
    inline-size: 8px;
    block-size: 8px;
    margin-inline: 0 8px;
    border-radius: 4px;
    background: var(--_good);
  }
  .value,
  .mono {
    font:
      500 0.9375rem/1.6 ui-monospace,
      'SF Mono',
      Menlo,
      Consolas,
      monospace;
    user-select: all;
  }
  .mono {
    font-size: 0.8125rem;
  }
  .payload {
    display: block;
    max-block-size: 160px;
    padding: 12px;
    border: 1px solid var(--_line);
    border-radius: var(--_inner);
    overflow: auto;
    font-size: 0.8125rem;
    text-align: start;
  }
`;
