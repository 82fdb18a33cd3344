/** The fixed headers of every request to the order service. */
import { z } from 'zod';
import { isHeader } from '../contract/http-header.js';
import { secretField, type ReadSecret } from './secrets.js';

/** A header that HTTP refuses would make every pay fail after its order was claimed. */
export const serviceHeaders = (read: ReadSecret) =>
  z
    .record(
      z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, { error: 'a header name' }),
      secretField(read),
    )
    .superRefine((headers, context) => {
      for (const [name, secret] of Object.entries(headers))
        if (!isHeader(name, secret.reveal()))
          context.addIssue({
            code: 'custom',
            path: [name],
            message: 'a header that a client may set, whose value is one line of Latin-1',
          });
    });
