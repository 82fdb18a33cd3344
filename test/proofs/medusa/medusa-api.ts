/** Requests to Medusa's admin API and store API. */
import { z } from 'zod';

/** Medusa has refused a request. The message has the status and the text of its answer. */
export class MedusaRefusal extends Error {}

const TIMEOUT_MS = 60_000;

export type Api = <T>(path: string, answer: z.ZodType<T>, body?: object) => Promise<T>;

/**
 * @param headers a token of an administrator, or the shop's publishable key
 * @returns a function that sends a POST request, or a GET request when there is no body
 */
export const createApi =
  (url: string, headers: Readonly<Record<string, string>>): Api =>
  async (path, answer, body) => {
    const response = await fetch(url + path, {
      method: body ? 'POST' : 'GET',
      headers: { 'content-type': 'application/json', ...headers },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new MedusaRefusal(`${path}: ${response.status} ${text}`);
    return answer.parse(JSON.parse(text));
  };

export const withId = z.object({ id: z.string() });
