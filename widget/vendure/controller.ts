/** The address to which the relay delivers its events: `/pay-checkout/events`. */
import { Controller, Inject, Post, Req, Res } from '@nestjs/common';
import type { Middleware } from '@vendure/core';
import type { EventHeaders } from 'pay-checkout/shop';
import { PayCheckoutService } from './service.js';

/** The service's events have at most a few kilobytes. */
const MAX_EVENT_BYTES = 65_536;

type EventRequest = { headers: EventHeaders; rawBody?: Uint8Array };
type Body = {
  on(event: 'data', listener: (chunk: Uint8Array) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
};
type Answer = { status(code: number): { end(): void } };

/** Keeps the bytes of the body, because the signature is over them. */
export const keepRawBody: Middleware = {
  route: '/pay-checkout/events',
  beforeListen: true,
  handler: (request: EventRequest & Body, response: Answer, next: () => void) => {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    request.on('data', (chunk) => {
      bytes += chunk.length;
      if (bytes <= MAX_EVENT_BYTES) chunks.push(chunk);
    });
    request.on('end', () => {
      if (bytes > MAX_EVENT_BYTES) {
        response.status(413).end();
        return;
      }
      request.rawBody = Buffer.concat(chunks);
      next();
    });
  },
};

@Controller('pay-checkout')
export class EventsController {
  constructor(@Inject(PayCheckoutService) private readonly service: PayCheckoutService) {}

  @Post('events')
  async receive(@Req() request: EventRequest, @Res() response: Answer): Promise<void> {
    const { status } = await this.service.receive.parts(request.rawBody ?? '', request.headers);
    response.status(status).end();
  }
}
