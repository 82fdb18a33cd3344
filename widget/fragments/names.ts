/**
 * Names of products, shops, options, networks and tags. They are isolated, so that right-to-left
 * and invisible characters in a name cannot reorder the text around it.
 */
import { html, type TemplateResult } from 'lit';

export const isolated = (name: string): TemplateResult => html`<bdi>${name}</bdi>`;

/** @param placeholder with its braces, as it stands in the sentence */
export const filled = (sentence: string, placeholder: string, content: unknown): unknown[] =>
  sentence.split(placeholder).map((part, index) => (index > 0 ? [content, part] : part));

export const withName = (sentence: string, placeholder: string, name: string): unknown[] =>
  filled(sentence, placeholder, isolated(name));

/** Puts a point between two facts; a full line breaks after it. */
export const facts = (...all: unknown[]): unknown[] =>
  all
    .filter((fact) => fact !== null)
    .map((fact, index, { length }) =>
      index + 1 < length ? [html`<span class="fact">${fact}&nbsp;·</span>`, ' '] : fact,
    );
