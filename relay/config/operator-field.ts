/** The operator's listener: its port, who may use it, and the names that it is reached by. */
import { z } from 'zod';
import { refuser } from './refinements.js';
import { secretField, type ReadSecret } from './secrets.js';

/** `read` sees everything; `act` also changes something. */
export const operatorRoles = ['read', 'act'] as const;
export type OperatorRole = (typeof operatorRoles)[number];

/** The name of whoever uses `operator.key`, which has no name of its own. */
export const OPERATOR = 'operator';

const MIN_KEY_CHARACTERS = 8;
/** Host names and addresses as a browser writes them, without a port. */
const HOST = /^([a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*|\[[0-9a-f:]+\])$/;

export const operatorField = (read: ReadSecret) => {
  const key = secretField(read, MIN_KEY_CHARACTERS);
  return z
    .strictObject({
      port: z.int().min(0).max(65_535),
      /** The key of one person, with the role `act`. */
      key: key.optional(),
      /** The keys of several people, or of programs that only read. */
      keys: z
        .array(
          z.strictObject({
            name: z.string().regex(/^[\p{L}\p{N}][\p{L}\p{N} ._@-]{0,63}$/u, {
              error: '1 to 64 letters, digits, spaces and . _ @ -',
            }),
            key,
            role: z.enum(operatorRoles),
          }),
        )
        .default([]),
      /** Also when somebody has switched them off in the console, because passkeys are lost. */
      keys_always_open: z.boolean().default(false),
      /** Host names by which a proxy with TLS passes requests to the listener. */
      hosts: z
        .array(z.string().regex(HOST, { error: 'a host name in lower case, without a port' }))
        .default([]),
    })
    .superRefine(({ key: single, keys }, context) => {
      const refuse = refuser(context);
      if (single === undefined && keys.length === 0)
        refuse(['key'], 'a key; without one nobody can use the listener');
      keys.forEach((one, index) => {
        const others = keys.slice(0, index);
        const isNamed = one.name === OPERATOR || others.some(({ name }) => name === one.name);
        if (isNamed) refuse(['keys', index, 'name'], 'a name that no other key has');
        const values = [single, ...others.map((other) => other.key)];
        if (values.some((value) => value?.reveal() === one.key.reveal()))
          refuse(['keys', index, 'key'], 'a secret that no other key has');
      });
    });
};
