/** A `request_id` in the relay's form that no order has, for a query that needs any answer. */
export const unknownRequestId = (): string => crypto.randomUUID().replaceAll('-', '').slice(0, 26);
