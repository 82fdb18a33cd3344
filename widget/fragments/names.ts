/**
 * Names that the relay hands on: of products, shops, options, networks, tags. Isolated, so that
 * right-to-left letters and invisible characters in them cannot reorder what stands around.
 */
import { html, type TemplateResult } from 'lit';

export const isolated = (name: string): TemplateResult => html`<bdi>${name}</bdi>`;

/** @param place the placeholder in the sentence, with its braces */
export const withName = (sentence: string, place: string, name: string): unknown[] =>
  sentence.split(place).map((part, index) => (index > 0 ? [isolated(name), part] : part));
