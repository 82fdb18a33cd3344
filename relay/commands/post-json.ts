/** Posts JSON to a relay with the secret key. */
import { z } from 'zod';

const ANSWER_WITHIN_MS = 10_000;
const failure = z.object({ error: z.object({ code: z.string() }) });

/** @throws Error that names the address, and the relay's error code when there is one */
export async function postJson(url: string, secretKey: string, body: unknown): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${secretKey}` },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  }).catch((error: unknown) => {
    throw new Error(`${url}: no answer`, { cause: error });
  });
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok) return answer;
  const refused = failure.safeParse(answer);
  throw new Error(
    `${url}: ${response.status}${refused.success ? ` ${refused.data.error.code}` : ''}`,
  );
}
