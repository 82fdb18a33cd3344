/**
 * The renderer of the element on the server. The build makes it of the element's own views, and the
 * relay loads the built file, because it must not import the element.
 */
import type { CheckoutResponse } from './responses.js';

export type RenderInput = {
  readonly answer: CheckoutResponse;
  readonly orderToken: string;
  /** Id of the option that is selected first. */
  readonly option: string | undefined;
  /** BCP 47 tag of the language. */
  readonly locale: string | undefined;
  /** The relay's public URL, without a slash at its end. */
  readonly relay: string;
  /** Whether the HTML holds the styles itself. */
  readonly inlineStyles: boolean;
  /** The nonce of the inline styles. */
  readonly nonce: string | undefined;
};

/** @returns the tag of the element with its content as a declarative shadow root */
export type Render = (input: RenderInput) => Promise<string>;

/** The files that the relay serves. */
export type RenderFiles = {
  /** Name of the renderer's style sheet. */
  readonly stylesheet: string;
  /** @returns null when there is no such file */
  read(name: string): string | null;
};

/** What the built file exports. */
export type Renderer = {
  readonly createRender: (files: RenderFiles) => Render;
  readonly styles: string;
};

/** @throws Failure `not_configured` when the renderer was not built */
export type LoadRender = () => Promise<Render>;
